import { and, eq, sql } from 'drizzle-orm'
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

t.test('whose personal workspace it is stands there, too, if the version before created it', async (t) => {
  const { app, db } = await sharedApp(t)
  const { user, browser } = await signedUp(app, { name: 'Ana' })
  const [personal] = await db.select().from(accounts)
  t.equal(personal?.personalUserId, user.id)
  await browser.submit('POST', '/accounts', { name: 'Acme' })

  const ofVersionBefore = { name: 'Ana', slug: 'ana-before', personal: true }
  const [created] = await db.insert(accounts).values(ofVersionBefore).returning()
  await db.insert(memberships).values({ accountId: created?.id ?? 0, userId: user.id, role: 'owner' })
  const expected = [
    ['ana', user.id],
    ['acme', null],
    ['ana-before', user.id],
  ]
  const stored = async () => {
    const rows = await db.select().from(accounts).orderBy(accounts.id)
    return rows.map(({ slug, personalUserId }) => [slug, personalUserId])
  }
  t.same(await stored(), expected)
  await db.update(accounts).set({ personalUserId: null })
  await app.jobs.run('backfill')
  t.same(await stored(), expected, 'and if it is from before the column')
})

t.test('accounts without an owner, whose user nobody knows, keep no backfill running', async (t) => {
  const { app, db } = await sharedApp(t)
  await db.execute(
    sql`insert into accounts (name, slug, personal) select 'Ana', 'ana-' || n, true from generate_series(1, 2001) n`,
  )
  await app.jobs.run('backfill')
  t.equal((await db.execute(sql`select from accounts where personal_user_id is null`)).rowCount, 2001)
})
