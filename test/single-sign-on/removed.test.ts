import { and, eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships, removedMembers } from '../../drizzle/schema.ts'
import { removalOf } from '../../features/single-sign-on/removed-members.ts'
import { settings, startApp } from '../helpers/app.ts'
import { addMember, challenge, invite, signedUp, verifiedUp } from '../helpers/people.ts'
import { codeAt, enable } from '../helpers/second-factor.ts'
import { startSso, userWith } from '../helpers/single-sign-on.ts'

const { app, db, url, clock, company, personAt } = await startSso(t)

const isIn = async (accountId: number, userId: number) =>
  (await db.$count(memberships, and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)))) > 0

/** A workspace, and a person at its domain who can be a member of it and be removed. */
async function withMember() {
  const acme = await company()
  const ana = await personAt(acme.domain)
  const add = async () => (await addMember(db, acme.account.id, ana)).membershipId
  const remove = async (id: number) => acme.owner.browser.submit('DELETE', `${acme.path}/members/${id}`)
  const there = { sub: `ana-${ana.user.id}`, email: ana.person.email }
  const isMember = () => isIn(acme.account.id, ana.user.id)
  const alert = `You were removed from ${acme.account.name}. Ask an owner to invite you`
  return { ...acme, ana, add, remove, there, isMember, alert }
}

t.test('who was removed before there were digests stays removed', async (t) => {
  const { account, ana, add, remove, there, isMember, visit, alert } = await withMember()
  await remove(await add())
  await db.delete(removedMembers).where(eq(removedMembers.accountId, account.id))
  await app.jobs.run('remember_removals')
  t.equal((await visit(there, { browser: ana.browser })).page.flash?.alert, alert)
  t.notOk(await isMember())
})

t.test('after a second step too, who was removed is told so, and joins once they are invited', async (t) => {
  const { owner, path, ana, add, remove, there, isMember, visit, alert } = await withMember()
  const id = await add()
  await visit(there, { browser: ana.browser })
  const { secret } = await enable(ana.browser, { clock })
  await remove(id)
  const signIn = async () => {
    clock.forward({ seconds: 30 })
    const { browser } = await visit(there)
    return browser.submit('POST', '/sign_in/verify', { code: await codeAt(secret, clock.now()) })
  }
  t.same((await signIn()).flash, { notice: 'Signed in successfully', alert })
  t.notOk(await isMember())
  clock.forward({ minutes: 1 })
  await invite(app, owner, path, ana.person.email, 'admin')
  t.match(await signIn(), { url: path, flash: { notice: 'Signed in successfully' } })
  t.ok(await isMember())
})

t.test('whom a claim throws out of a workspace stays out of it', async (t) => {
  const { domain, visit } = await company()
  const squatter = await signedUp(app, { email: `victim@${domain}` })
  const { props } = await squatter.browser.visit(`/${squatter.slug}`)
  const friend = await verifiedUp(app)
  await addMember(db, props.account.id, friend, 'admin')
  await visit({ sub: 'victim', email: `victim@${domain}` })
  t.notOk(await isIn(props.account.id, friend.user.id))
  t.equal(await db.$count(removedMembers, eq(removedMembers.accountId, props.account.id)), 1)
})

t.test('a member who connects accepts an invitation to their address, and keeps their role', async (t) => {
  const { account, owner, path, ana, add, there, visit } = await withMember()
  await invite(app, owner, path, ana.person.email, 'admin')
  await add()
  await visit(there, { browser: ana.browser })
  const [invitation] = await db.select().from(invitations).where(eq(invitations.email, ana.person.email))
  t.equal(invitation?.accepterId, ana.user.id)
  const isAna = and(eq(memberships.accountId, account.id), eq(memberships.userId, ana.user.id))
  const [membership] = await db.select().from(memberships).where(isAna)
  t.equal(membership?.role, 'member')
})

t.test('another user whom the provider knows by the subject of who was removed does not join', async (t) => {
  const { account, domain, ana, add, remove, there, visit, alert } = await withMember()
  const id = await add()
  await visit(there, { browser: ana.browser })
  await remove(id)
  await ana.browser.submit('DELETE', '/users', challenge)
  const email = `other@${domain}`
  const { page } = await visit({ ...there, email })
  t.equal(page.flash?.alert, alert)
  t.notOk(await isIn(account.id, (await userWith(db, email))?.id ?? 0))
})

t.test('a removal beside a sign-in wins', async (t) => {
  for (let n = 0; n < 3; n++) {
    const { ana, add, remove, there, isMember, visit } = await withMember()
    const id = await add()
    await Promise.all([remove(id), visit(there, { browser: ana.browser })])
    t.notOk(await isMember())
  }
})

t.test('it is remembered when SECRET_KEY_BASE changes, while the previous one is known', async (t) => {
  const { account, ana, add, remove } = await withMember()
  await remove(await add())
  const key = 'another secret for tests, which is long enough to be one: 64 characters and more'
  const environment = { DATABASE_URL: url, SECRET_KEY_BASE: key }
  const between = await startApp(t, { ...environment, SECRET_KEY_BASE_PREVIOUS: settings.SECRET_KEY_BASE })
  const member = { accountId: account.id, userId: ana.user.id }
  t.ok(await db.transaction((tx) => removalOf(between.app, tx, member)))
})
