import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, emailChanges, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { deleteAccount } from '../../features/accounts/account-settings.ts'
import { createAccount, rememberAccount } from '../../features/accounts/accounts.ts'
import { changeRole, removeMember } from '../../features/accounts/memberships.ts'
import { acceptInvitation } from '../../features/accounts/received-invitations.ts'
import { endSession } from '../../features/auth/sessions.ts'
import { deleteUser } from '../../features/auth/user-deletion.ts'
import { undoChange } from '../../features/identity/disputes.ts'
import { changeEmail } from '../../features/settings/emails.ts'
import type { Database } from '../../plugins/database/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { startAcme, tokenOf } from '../helpers/accounts.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { jobsIn } from '../helpers/jobs.ts'
import { untilWaiting } from '../helpers/locks.ts'
import { password, signedUp } from '../helpers/people.ts'
import { byDigest } from '../helpers/reauthentication.ts'
import { accountIdentifier } from '../helpers/sse.ts'

t.test('an account that is created while its owner is being deleted goes with them', async (t) => {
  const { app, db } = await sharedApp(t)
  const { user, page } = await signedUp(app)
  const session = { userId: user.id, token: page.props.auth.session.id }
  const digest = await digestOf(db, user.id)
  let deletion: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, user.id)).for('no key update')
    deletion = deleteUser(app, session, byDigest(digest))
    await untilWaiting(db, deletion)
    await createAccount(tx, 'Acme', user.id)
  })
  await deletion
  for (const table of [users, accounts, memberships]) t.same(await db.select().from(table), [])
})

t.test('two owners of one account deleted concurrently leave nothing', async (t) => {
  const { app, db } = await sharedApp(t)
  for (let round = 0; round < 10; round++) {
    const [ana, ben] = await insertPeople(db, 2)
    const account = await db.transaction((tx) => createAccount(tx, 'Acme', ana))
    await db.insert(memberships).values({ accountId: account.id, userId: ben, role: 'owner' })
    const creations = [ana, ben].map((id) => db.transaction((tx) => createAccount(tx, 'Another', id)).catch(() => {}))
    await Promise.all([...[ana, ben].map((id) => deleteUser(app, sessionOf(id), reauthentication)), ...creations])
  }
  for (const table of [users, accounts, memberships]) t.same(await db.select().from(table), [])
})

t.test('visiting an account while it is being deleted blocks nothing', async (t) => {
  const { app, db } = await sharedApp(t)
  const { account, join } = await startAcme(app)
  const { browser } = await join('member')
  let visit: Promise<{ statusCode: number }> | undefined
  await db.transaction(async (tx) => {
    await tx.select().from(accounts).where(eq(accounts.id, account.id)).for('update')
    visit = browser.request('GET', '/acme')
    await untilWaiting(db, visit)
    await tx.delete(accounts).where(eq(accounts.id, account.id))
  })
  t.equal((await visit)?.statusCode, 200)
  t.equal((await browser.visit('/')).props.account.slug, (await browser.visit('/dashboard')).props.account.slug)
})

t.test('whatever people do concurrently, nothing deadlocks', async (t) => {
  const { app, db } = await sharedApp(t)
  const outcomes = new Map<string, number>()
  const noted = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => (error.cause?.code as string) ?? error.constructor.name,
    )
  for (let round = 0; round < 15; round++) {
    const all = await entangle(db, app)
    for (const outcome of await Promise.all(all.map((work) => noted(work())))) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    await checkAccounts(db)
  }
  t.comment(Object.fromEntries(outcomes))
  const expected = ['done', 'Denied', 'Invalid', 'NotFound', 'Refused', 'SignedOut']
  t.same(
    [...outcomes.keys()].filter((outcome) => !expected.includes(outcome)),
    [],
  )
})

t.test('a deleted user leaves nothing personal in the database', async (t) => {
  const { app, db } = await sharedApp(t)
  const { account, owner, join } = await startAcme(app)
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

/** Creates users who each own an account. */
async function insertPeople(db: Database, count: number) {
  const values = Array.from({ length: count }, () => {
    const unique = crypto.randomUUID()
    return { name: `Ana ${unique}`, email: `${unique}@example.com`, passwordDigest: 'digest', verified: true }
  })
  const rows = await db.insert(users).values(values).returning({ id: users.id })
  for (const { id } of rows) await db.transaction((tx) => createAccount(tx, 'Own', id))
  await db.insert(sessions).values(rows.map(({ id }) => ({ ...sessionOf(id), userAgent: '', ipAddress: '' })))
  return rows.map(({ id }) => id) as [number, number, ...number[]]
}

const sessionOf = (userId: number) => ({ userId, token: `session-${userId}` })

type App = Parameters<typeof undoChange>[0] & Parameters<typeof endSession>[0] & Parameters<typeof acceptInvitation>[0]

/**
 * Four people who each own an account, manage the others', view the next one's and are invited by the previous one, and
 * everything they can do.
 */
async function entangle(db: Database, app: App) {
  const people = await insertPeople(db, 4)
  const own = await db.select().from(memberships).where(inArray(memberships.userId, people)).orderBy(memberships.userId)
  const accountOf = (n: number) => own[n % 4]?.accountId ?? 0
  const others = people.flatMap((userId, n) =>
    [1, 2].map((step) => ({ userId, accountId: accountOf(n + step), role: 'admin' as const })),
  )
  const joined = await db.insert(memberships).values(others).returning()
  const found = await db.select().from(users).where(inArray(users.id, people)).orderBy(users.id)
  const sent = found.map(({ email }, n) => {
    const token = crypto.randomUUID()
    const values = { accountId: accountOf(n + 3), inviterId: people[(n + 3) % 4], email, role: 'member' as const }
    return { token, values: { ...values, tokenDigest: digestOfToken(token), expiresAt: new Date(Date.now() + 60_000) } }
  })
  await db.insert(invitations).values(sent.map(({ values }) => values))

  // Each has given up the address of the previous one.
  const given = found.map(({ id }, n) => ({ userId: id, previousEmail: found[(n + 3) % 4]?.email ?? '' }))
  const changes = await db.insert(emailChanges).values(given).returning()

  return found.flatMap((user, n) => {
    const session = sessionOf(user.id)
    const place = { userId: user.id, accountId: accountOf(n), sessionToken: session.token }
    const guests = joined.filter(({ accountId }) => accountId === place.accountId)
    const { token } = sent[n] ?? { token: '' }
    return [
      () => rememberAccount(db, user.id, accountOf(n + 1)),
      () => whileSignedIn(db, session.token, (tx) => createAccount(tx, 'New', user.id)),
      () => whileSignedIn(db, session.token, (tx) => acceptInvitation(app, tx, { token }, user)),
      () => (n % 2 ? deleteAccount(db, place, reauthentication) : deleteUser(app, session, reauthentication)),
      () => rememberAccount(db, user.id, accountOf(n + 2)),
      () => changeEmail(app, { ...session, reauthentication }, `${crypto.randomUUID()}@example.com`),
      () => undoChange(app, changes[n] ?? { id: 0, userId: 0, previousEmail: '' }),
      () => changeRole(db, place, guests[0]?.id ?? 0, 'member'),
      () => removeMember(db, place, guests[1]?.id ?? 0),
      () => (n === 3 ? deleteUser(app, session, reauthentication) : Promise.resolve()),
      () => (n === 2 ? endSession(app, user.id, session.token, session.token) : Promise.resolve()),
    ]
  })
}

/** Throws if an account has no owner or no members. */
async function checkAccounts(db: Database) {
  const orphans = (
    await db.execute(sql`
    select id from ${accounts} where not exists (
      select from ${memberships} where ${memberships.accountId} = ${accounts.id} and ${memberships.role} = 'owner')`)
  ).rows
  if (orphans.length > 0) throw new Error(`${orphans.length} accounts belong to nobody`)
}

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

const reauthentication = byDigest('digest')
const digestOfToken = (token: string) => createHash('sha256').update(token).digest('base64url')
