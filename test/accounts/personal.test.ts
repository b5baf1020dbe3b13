import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, type Role, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { invite, signedUp, verifiedUp } from '../helpers/people.ts'

type Listed = { slug: string; personal?: true }

t.test('others see whose a personal workspace is, while that user owns it and it has their name', async (t) => {
  const { app, db } = await sharedApp(t)
  const ana = await verifiedUp(app, { name: 'Ana' })
  const ben = await verifiedUp(app, { name: 'Ben' })
  const { link } = await invite(app, ana, '/ana', ben.person.email)
  const invited = (await ben.browser.visit(link)).props
  t.match(invited, { account_name: 'Ana', account_personal: true })
  t.match(invited.open_invitations, [{ account_name: 'Ana', account_personal: true }])
  await ben.browser.submit('POST', `${link}/accept`)

  const shownTo = async ({ browser }: typeof ana) => {
    const { account, accounts } = (await browser.visit('/ana')).props
    const listed: Listed = accounts.find(({ slug }: Listed) => slug === 'ana')
    t.equal(listed.personal, account.personal, 'the same in the switcher')
    return account.personal === true
  }
  t.equal(await shownTo(ben), true)
  t.equal(await shownTo(ana), false, 'who knows that it is hers')

  await ana.browser.submit('PATCH', '/ana/settings', { name: 'Acme' })
  t.equal(await shownTo(ben), false, 'under another name')
  await ana.browser.submit('PATCH', '/ana/settings', { name: 'Ana' })
  t.equal(await shownTo(ben), true)

  const [account] = await db.select().from(accounts).where(eq(accounts.slug, 'ana'))
  const setRole = ({ user }: typeof ana, role: Role) =>
    db
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.accountId, account?.id ?? 0), eq(memberships.userId, user.id)))
  const cleo = await signedUp(app)
  await db.insert(memberships).values({ accountId: account?.id ?? 0, userId: cleo.user.id, role: 'member' })
  await setRole(ben, 'owner')
  await setRole(ana, 'member')
  await db.update(users).set({ name: 'Ana' }).where(eq(users.id, ben.user.id))
  t.equal(await shownTo(cleo), false, 'nor that of another owner with this name')
})
