import { sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, emailChanges, invitations, memberships, users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { jobsIn } from '../helpers/jobs.ts'
import {
  byDigest,
  changeEmail,
  invite,
  password,
  sharedAcme,
  sharedPerson,
  signedUp,
  userRow,
  verify,
} from '../helpers/people.ts'
import { dump } from '../helpers/records.ts'
import { beat } from '../helpers/sse.ts'

t.test('an account that is created while its owner is being deleted goes with them', async (t) => {
  const { app, db, user, page } = await sharedPerson(t)
  const reauthentication = byDigest((await userRow(db, user.id)).passwordDigest)
  const confirmed = { userId: user.id, token: page.props.auth.session.id, reauthentication }
  const lock = sql`select from users where id = ${user.id} for no key update`
  const remove = () => deleteUser(app, confirmed)
  await whileLocked(db, lock, remove, (tx) => createAccount(tx, 'Acme', user.id))
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
  await verify(db, leaver.user.id)
  for (const email of ['zenobia.quux@example.com', 'quux@example.com']) {
    await changeEmail(leaver, email)
    await verify(db, leaver.user.id)
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
