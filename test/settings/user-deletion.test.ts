import { and, eq, isNull, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, emailChanges, invitations, memberships, users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Browser } from '../helpers/browser.ts'
import { untilWaiting } from '../helpers/database.ts'
import { jobsIn } from '../helpers/jobs.ts'
import { byDigest, password, sharedAcme, sharedPerson, signedUp, tokenOf } from '../helpers/people.ts'
import { accountIdentifier } from '../helpers/sse.ts'

t.test('an account that is created while its owner is being deleted goes with them', async (t) => {
  const { app, db, user, page } = await sharedPerson(t)
  const reauthentication = byDigest(await digestOf(db, user.id))
  const confirmed = { userId: user.id, token: page.props.auth.session.id, reauthentication }
  let deletion: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, user.id)).for('no key update')
    deletion = deleteUser(app, confirmed)
    await untilWaiting(db, deletion)
    await createAccount(tx, 'Acme', user.id)
  })
  await deletion
  for (const table of [users, accounts, memberships]) t.same(await db.select().from(table), [])
})

t.test('a deleted user leaves nothing personal in the database', async (t) => {
  const { app, db, account, owner, join } = await sharedAcme(t)
  const ip = '192.0.2.77'
  const leaver = await signedUp(app, { name: 'Zenobia Quux', email: 'zenobia@example.com' }, ip)
  const admin = await join('admin')
  const invite = async (by: typeof owner, email: string) => {
    await by.browser.submit('POST', '/acme/invitations', { email, role: 'member' })
    const [invitation] = await db
      .select()
      .from(invitations)
      .where(and(eq(invitations.email, email), isNull(invitations.acceptedAt)))
    return invitation?.id ?? 0
  }

  // Accepted under an address they no longer have, and pending under one of theirs.
  await accept(app, leaver.browser, await invite(owner, 'zenobia@example.com'))
  await db.update(users).set({ verified: true }).where(eq(users.id, leaver.user.id))
  for (const email of ['zenobia.quux@example.com', 'quux@example.com']) {
    const change = { email, password_challenge: password }
    await leaver.browser.submit('PATCH', '/settings/email', change)
    await db.update(users).set({ verified: true }).where(eq(users.id, leaver.user.id))
  }
  const elsewhere = await signedUp(app)
  await elsewhere.browser.submit('POST', `/${elsewhere.slug}/invitations`, { email: 'quux@example.com', role: 'admin' })
  await elsewhere.browser.submit('POST', `/${elsewhere.slug}/invitations`, {
    email: 'zenobia.quux@example.com',
    role: 'admin',
  })
  // A former address that now belongs to another user, who has an invitation.
  const successor = await signedUp(app, { email: 'zenobia@example.com', name: 'Heir' })
  await invite(owner, 'zenobia@example.com')

  // Jobs that are waiting, completed or dead.
  for (const email of ['quux@example.com', 'zenobia.quux@example.com', successor.person.email, 'else@example.com']) {
    await (await Browser.open(app, { ip })).submit('POST', '/identity/password_reset', { email })
  }
  await db.execute(sql`
    insert into pgboss.job (name, data, state)
    select 'dead_jobs', data, 'created'::pgboss.job_state from pgboss.job where data ? 'email' union all
    select 'jobs', data, 'completed'::pgboss.job_state from pgboss.job where data ? 'email'`)
  const body = { identifier: accountIdentifier('acme'), tab_id: 'tab-1', state: { reads: 'Zenobia Quux' } }
  await leaver.browser.send('POST', '/live/presence', { body, headers: leaver.browser.csrfHeader() })
  await admin.browser.visit('/acme/members')
  t.ok((await traces(db, ['Quux', 'quux@'])).length >= 5)

  const page = await leaver.browser.submit('DELETE', '/users', { password_challenge: password })
  t.same(page.flash, { notice: 'Your account has been deleted' })
  const mails = (await db.execute(sql`delete from pgboss.job where data->>'job' = 'user_deleted' returning data`)).rows
  t.equal(mails.length, 1, 'the mail that confirms it, which is forgotten once it is sent')
  t.same(await traces(db, ['Zenobia', 'quux@example.com', ip]), [])

  t.match(await db.select().from(invitations), [
    { accountId: account.id, email: 'zenobia@example.com', acceptedAt: null },
  ])
  const addressed = (await jobsIn(db)).flatMap(({ data }) => (data.email ? [data.email] : []))
  t.same([...new Set(addressed)].sort(), ['else@example.com', 'zenobia@example.com'])
  t.same(await db.select().from(emailChanges), [])
  t.equal((await successor.browser.visit(`/${successor.slug}`)).component, 'accounts/show')
})

async function accept(app: Parameters<typeof tokenOf>[0], browser: Browser, invitationId: number) {
  const token = await tokenOf(app, invitationId)
  await browser.submit('POST', `/invitations/${token}/accept`)
}

const digestOf = async (db: Database, userId: number) =>
  (await db.select().from(users).where(eq(users.id, userId)))[0]?.passwordDigest

/** Rows of any table, including the queue's, that contain one of these words. */
async function traces(db: Database, words: string[]) {
  const tables = (
    await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`)
  ).rows
  const found: string[] = []
  for (const { name } of tables) {
    const rows = (await db.execute<{ row: string }>(sql`select held::text as row from ${sql.raw(name)} held`)).rows
    for (const { row } of rows) if (words.some((word) => row.includes(word))) found.push(`${name} ${row}`)
  }
  return found
}
