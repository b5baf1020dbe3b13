import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, emailChanges, invitations, memberships, users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { deleteUser, removeUser } from '../../features/auth/user-deletion.ts'
import { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { jobsIn } from '../helpers/jobs.ts'
import {
  byDigest,
  changeEmail,
  invite,
  password,
  prove,
  sharedAcme,
  sharedPerson,
  sidOf,
  signedUp,
  userRow,
  verify,
} from '../helpers/people.ts'
import { dump } from '../helpers/records.ts'
import { beat } from '../helpers/sse.ts'

t.test('an account that is created while its owner is being deleted goes with them', async (t) => {
  const { app, db, user, session } = await sharedPerson(t)
  const reauthentication = byDigest((await userRow(db, user.id)).passwordDigest)
  const confirmed = { userId: user.id, token: session, reauthentication }
  const lock = sql`select from users where id = ${user.id} for no key update`
  const remove = () => deleteUser(app, confirmed)
  await whileLocked(db, lock, remove, (tx) => createAccount(app, tx, 'Acme', user.id))
  for (const table of [users, accounts, memberships]) t.same(await db.select().from(table), [])
})

t.test('a deleted user leaves nothing personal in the database', async (t) => {
  const { app, db, account, owner, join } = await sharedAcme(t)
  const ip = '192.0.2.77'
  const leaver = await signedUp(app, { name: 'Zenobia Quux', email: 'zenobia@example.com' }, ip)
  const admin = await join('admin')

  await leaver.browser.submit('POST', '/accounts', { name: 'Theirs' })
  await leaver.browser.submit('PATCH', '/theirs/settings', { name: 'Zenobia and friends' })
  // Accepted under an address they no longer have, and pending under one of theirs.
  const accepted = await invite(app, owner, '/acme', 'zenobia@example.com')
  await leaver.browser.submit('POST', `${accepted.link}/accept`)
  for (const email of ['zenobia.quux@example.com', 'quux@example.com']) {
    await changeEmail(leaver, email)
    await prove(db, leaver.user.id)
  }
  const elsewhere = await signedUp(app)
  // Somebody was in their own account, and left it.
  const toOwn = await invite(app, leaver, `/${leaver.slug}`, elsewhere.person.email)
  await elsewhere.browser.submit('POST', `${toOwn.link}/accept`)
  const [, guest] = (await leaver.browser.visit(`/${leaver.slug}/members`)).props.members
  await leaver.browser.submit('DELETE', `/${leaver.slug}/members/${guest.id}`)
  for (const email of ['quux@example.com', 'zenobia.quux@example.com'])
    await invite(app, elsewhere, `/${elsewhere.slug}`, email, 'admin')
  // A former address that now belongs to another user, who has an invitation.
  const successor = await signedUp(app, { email: 'zenobia@example.com', name: 'Heir' })
  await invite(app, owner, '/acme', 'zenobia@example.com')

  // Jobs that are waiting, completed or dead.
  for (const email of ['quux@example.com', 'zenobia.quux@example.com', successor.person.email, 'else@example.com']) {
    await (await Browser.open(app, { ip })).submit('POST', '/identity/password_reset', { email })
  }
  await db.execute(sql`
    insert into pgboss.job (name, data, state)
    select 'dead_jobs', data, 'created'::pgboss.job_state from pgboss.job where data ? 'email' union all
    select 'jobs', data, 'completed'::pgboss.job_state from pgboss.job where data ? 'email'`)
  await beat(leaver.browser, { tab_id: 'tab-1', state: { reads: 'Zenobia Quux' } })
  await admin.browser.visit('/acme/members')
  const traces = ['Zenobia', 'quux@example.com', ip]
  const before = await dump(db)
  for (const trace of traces) t.ok(before.includes(trace), trace)

  const page = await leaver.browser.submit('DELETE', '/users', { password_challenge: password })
  t.same(page.flash, { notice: 'Your account has been deleted' })
  const mails = (await db.execute(sql`delete from pgboss.job where data->>'job' = 'user_deleted' returning data`)).rows
  t.equal(mails.length, 1, 'the mail that confirms it, which is forgotten once it is sent')
  const after = await dump(db)
  for (const trace of traces) t.notOk(after.includes(trace), trace)

  const [left, ...others] = await db.select().from(invitations)
  t.match(left, { accountId: account.id, email: 'zenobia@example.com', acceptedAt: null })
  t.same(others, [])
  const addressed = (await jobsIn(db)).flatMap(({ data }) => (data.email ? [data.email] : []))
  t.same([...new Set(addressed)].sort(), ['else@example.com', 'zenobia@example.com'])
  t.same(await db.select().from(emailChanges), [])
  t.equal((await successor.browser.visit(`/${successor.slug}`)).component, 'accounts/show')
})

/** Somebody invited `victim@example.com`, who asked for a mail. A squatter signed up with the same address. */
async function startSquatted(t: Test) {
  const started = await sharedAcme(t)
  const { app, db, owner } = started
  await verify(db, owner.user.id)
  await invite(app, owner, '/acme', 'victim@example.com')
  const squatter = await signedUp(app, { email: 'victim@example.com' })
  await squatter.browser.submit('POST', '/identity/password_reset', { email: 'victim@example.com' })
  const isLeft = async () => {
    const resets = (await jobsIn(db)).filter(({ data }) => data.job === 'password_reset')
    return [await db.$count(users, eq(users.id, squatter.user.id)), await db.$count(invitations), resets.length]
  }
  const leave = () => squatter.browser.submit('DELETE', '/users', { password_challenge: password })
  return { ...started, squatter, leave, isLeft }
}

type Squatted = Awaited<ReturnType<typeof startSquatted>>
const waysToGo: Record<string, (started: Squatted) => Promise<unknown>> = {
  'by themselves': ({ leave }) => leave(),
  'by an operator': ({ app, db, squatter }) =>
    db.transaction((tx) => removeUser(app, tx, squatter.user.id, { keepsSlugs: true })),
  'by the person whose address it is': async ({ app, squatter }) =>
    (await Browser.open(app)).submit('POST', '/identity/not_mine', {
      sid: await sidOf(app, 'not_mine', squatter.user.id),
    }),
  'by the sweeper': ({ app, clock }) => {
    clock.forward({ days: 31 })
    return app.sweeper.sweep()
  },
  'after a mail scanner verified it': async ({ db, squatter, leave }) => {
    await verify(db, squatter.user.id)
    return leave()
  },
  'after a mail scanner verified it, under another address': async ({ db, squatter, leave }) => {
    await verify(db, squatter.user.id)
    await changeEmail(squatter, 'own@example.com')
    await prove(db, squatter.user.id)
    return leave()
  },
}
for (const [way, remove] of Object.entries(waysToGo)) {
  t.test(`what was sent to an address that a deleted user had not proved stays: ${way}`, async (t) => {
    const started = await startSquatted(t)
    await remove(started)
    t.same(await started.isLeft(), [0, 1, 1])
  })
}
