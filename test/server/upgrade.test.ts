import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { getConstructionPlans } from 'pg-boss'
import t, { type Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { accounts, sessions, type User, users } from '../../drizzle/schema.ts'
import { methodOf } from '../../features/auth/methods.ts'
import type { Session } from '../../features/auth/reauthentication/index.ts'
import { addFactor, selectSessions } from '../../features/auth/sessions.ts'
import { removeSecondFactor } from '../../features/second-factor/ways-in.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { keyRing } from '../../plugins/security/keys.ts'
import { createSealing } from '../../plugins/security/sealing.ts'
import { prepareDatabases } from '../../server/prepare.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { runCommand } from '../helpers/commands.ts'
import { defineReport, wake } from '../helpers/jobs.ts'
import { liveAcme, verifiedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { acme, isMessage, isPresence, openStream } from '../helpers/sse.ts'
import { emptyDatabase, migrateUntil, migrations, migrationsOf020 } from '../helpers/versions.ts'

const dump = new URL('version-0.2.sql', import.meta.url)

/** A database as 0.2.0 left it. */
async function databaseOfDump(t: Test) {
  const { url, sql } = await emptyDatabase(t)
  await migrateUntil(t, addressOf(url), migrationsOf020)
  await sql.unsafe(getConstructionPlans())
  await sql.unsafe(await readFile(dump, 'utf8'))
  return { url, sql }
}

for (const place of ['the same database', 'another database']) {
  t.test(`mails and jobs that 0.2.0 left in ${place} are done once, and those it gave up can be retried`, async (t) => {
    const queue = await databaseOfDump(t)
    const smtp = await startSmtp(t)
    const databases: Record<string, string> = { DATABASE_URL: queue.url }
    if (place === 'another database') {
      const { url, sql } = await databaseOfDump(t)
      await sql`drop schema pgboss cascade`
      Object.assign(databases, { DATABASE_URL: url, QUEUE_URL: queue.url })
    }
    const { app, config } = await startApp(t, { ...databases, ...smtp.environment })
    await prepareDatabases(config)
    const reports: string[] = []
    defineReport(app, async ({ about }) => reports.push(about))
    const run = (...words: string[]) => runCommand('jobs', databases, ...words)

    t.match(await app.jobs.backlog(), { waiting: 5, dead: 2 })
    const { out } = await run()
    t.match(out, /^3 queued, 2 failed and waiting for the next try, 2 dead$/m)
    t.match(out, /'dead' +│ 'account_invitation' +│ 1 +│ .*'EENVELOPE'/)

    await app.jobs.startWorkers()
    t.match(await run('retry'), { code: 0, out: '2 jobs are queued again.\n' })
    const unfinished = () => queue.sql`select from pgboss.job where state < 'completed'`
    while ((await unfinished()).length > 0) {
      await queue.sql`update pgboss.job set start_after = now() where state = 'retry'`
      for (const name of ['mail', 'job', 'jobs', 'private_jobs']) await wake(app.db, name)
      await sleep(100)
    }
    t.same(smtp.mails.map(({ recipient, subject }) => `${recipient}: ${subject}`).sort(), [
      'ana@example.com: Reset your password',
      'ana@example.com: Your password has been changed',
      'ben@example.com: Verify your email',
      'cem@example.com: Ana invited you to Ana on Acme Accounts',
      'dora@example.com: Your account has been deleted',
    ])
    t.same(reports.sort(), ['Acme', 'Hooli', 'Initech'])
    t.match(await app.jobs.backlog(), { waiting: 0, dead: 0 })
    t.equal((await queue.sql`select from pgboss.job where data->>'email' = 'dora@example.com'`).length, 0)
    t.same(
      [...(await queue.sql`select name, key from pgboss.schedule order by key`)],
      [
        { name: 'jobs', key: 'backfill' },
        { name: 'jobs', key: 'look_at_domains' },
        { name: 'jobs', key: 'remember_removals' },
        { name: 'jobs', key: 'sweep' },
        { name: 'jobs', key: 'warn_of_expiry' },
      ],
    )
  })
}

t.test('sessions of 0.2.0, old and new, count with the factors they began with, and 0.2.0 reads ours', async (t) => {
  const { url, sql: db } = await databaseOfDump(t)
  const [{ id: userId } = {}] = await db`select id from users limit 1`
  const write = (methods: string[]) =>
    db`insert into sessions ${db(methods.map((method) => ({ token: method, user_id: userId, user_agent: '', ip_address: '', method })))}`
  const began = () => db`select token, first_factor, provider, second_factor, method from sessions order by token`

  await write(['password', 'passkey', 'provider:oidc', 'provider:git_hub_and_recovery_code'])
  const { app, config } = await startApp(t, { DATABASE_URL: url })
  await prepareDatabases(config)
  await write(['password_and_code', 'provider:oidc_and_trusted_browser'])
  const read = async () => (await selectSessions(app, Number(userId))).map((row) => [row.token, methodOf(row)])
  for (const [token, method] of await read()) t.equal(method, token, 'before they are filled')
  await app.jobs.run('backfill')
  for (const [token, method] of await read()) t.equal(method, token, 'afterwards')
  t.same(
    [...(await began())].map((row) => Object.values(row).join(' ')),
    [
      'passkey passkey   passkey',
      'password password   password',
      'password_and_code password  code password_and_code',
      'provider:git_hub_and_recovery_code provider git_hub recovery_code provider:git_hub_and_recovery_code',
      'provider:oidc provider oidc  provider:oidc',
      'provider:oidc_and_trusted_browser provider oidc trusted_browser provider:oidc_and_trusted_browser',
    ],
  )
  await db`update sessions set second_factor = 'code' where token like 'provider:oidc%'`
  await db`update sessions set first_factor = 'password', second_factor = null where method = 'passkey'`
  await db`update sessions set method = 'passkey' where token = 'password_and_code'`
  await db`insert into sessions (token, user_id, user_agent, ip_address, first_factor, second_factor)
    values ('ours', ${String(userId)}, '', '', 'email_code', 'code')`
  t.same(Object.fromEntries((await began()).map(({ token, method }) => [token, method])), {
    ours: 'email_code_and_code',
    passkey: 'password',
    password: 'password',
    password_and_code: 'passkey',
    'provider:git_hub_and_recovery_code': 'provider:git_hub_and_recovery_code',
    'provider:oidc': 'provider:oidc_and_code',
    'provider:oidc_and_trusted_browser': 'provider:oidc_and_code',
  })
  t.match(
    (await began()).find(({ token }) => token === 'password_and_code'),
    { first_factor: 'passkey', second_factor: null },
  )
})

t.test('a session of 0.2.0 keeps its first factor when a second follows, and loses what is withdrawn', async (t) => {
  const { app, db } = await startApp(t)
  const { user } = await verifiedUp(app)
  await db.execute(sql`delete from sessions; alter table sessions disable trigger keep_session_factors`)
  const before = (token: string, method: string) => ({ token, userId: user.id, userAgent: '', ipAddress: '', method })
  await db
    .insert(sessions)
    .values([before('one', 'provider:oidc'), before('two', 'provider:oidc'), before('3', 'passkey')])
  await db.execute(sql`alter table sessions enable trigger keep_session_factors`)
  const session = async (token: string) => db.select().from(sessions).where(eq(sessions.token, token))
  const methods = async () => (await selectSessions(app, user.id)).map(methodOf).sort()
  async function lockedUser(tx: Tx) {
    const [locked] = await tx.select().from(users).where(eq(users.id, user.id)).for('no key update')
    return locked as User
  }

  for (const [token, factor] of [
    ['one', 'code'],
    ['two', 'passkey'],
  ] as const)
    await db.transaction(async (tx) => {
      await lockedUser(tx)
      return addFactor(tx, (await session(token))[0] as Session, { factor, setUpAt: null })
    })
  t.same(await methods(), ['passkey', 'passkey', 'provider:oidc_and_code'])
  await db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.id, user.id))
  await db.transaction(async (tx) => {
    await removeSecondFactor(app, tx, await lockedUser(tx))
  })
  t.same(await methods(), ['password', 'password', 'provider:oidc'])
})

t.test('what a superuser has prepared by hand stops no start, with the columns of now or of before', async (t) => {
  const statements = (await readFile(`${migrations}/0025_session_factors.sql`, 'utf8')).split(
    '--> statement-breakpoint',
  )
  const former = `
    create function keep_session_method() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger keep_session_method before insert or update on sessions execute function keep_session_method()`
  for (const prepared of [statements, [...statements.slice(0, 3), former]]) {
    const { url, sql } = await emptyDatabase(t)
    const role = new URL(url).pathname.slice(1)
    await sql.unsafe(`
      create role "${role}" login password 'guest';
      grant all on schema public to "${role}";
      grant create on database "${role}" to "${role}"`)
    t.teardown(() => sql.unsafe(`drop owned by "${role}"; drop role "${role}"`))
    const guest = addressOf(Object.assign(new URL(url), { username: role, password: 'guest' }).href)
    await migrateUntil(t, guest, migrationsOf020)
    for (const statement of prepared) await sql.unsafe(statement)
    await migrate(guest, () => {})
    const triggers = await sql`select tgname from pg_trigger where tgrelid = 'sessions'::regclass and not tgisinternal`
    t.same([...triggers], [{ tgname: 'keep_session_factors' }])
  }
})

t.test('a database of the time between 0.2.0 and 0.3.0 has applied other forms of the same, and goes on', async (t) => {
  const { url, sql } = await databaseOfDump(t)
  const address = addressOf(url)
  await migrate(address, () => {})
  // As their former statements left it, which were the same but for the indexes, and filled all rows.
  const edited = /^00(17|18|21|22|23|24|25)_/
  const { entries } = JSON.parse(await readFile(`${migrations}/meta/_journal.json`, 'utf8'))
  for (const { when } of entries.filter(({ tag }: { tag: string }) => edited.test(tag)))
    await sql`update drizzle.__drizzle_migrations set hash = 'former', created_at = ${when - 1} where created_at = ${when}`
  await migrate(address, () => {})
  t.equal((await sql`select from drizzle.__drizzle_migrations`).length, entries.length + 7)
})

t.test('0.2.0 beside this version: its events reach our streams, and one that we cannot read ends them', async (t) => {
  const { app, db, owner } = await liveAcme(t)
  const stream = await openStream(t, app, owner.browser, [acme])
  await stream.next(isPresence)
  const event = (id: number, type: string) =>
    JSON.stringify({ id, kind: 'message', room: `AccountChannel:${acmeId}`, message: { type }, tab_id: null })
  const [{ id: acmeId } = {}] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.slug, 'acme'))
  const say = (payload: string) => db.execute(sql`select pg_notify('live', ${payload})`)

  await say([event(1, 'members'), event(2, 'account')].join('\n'))
  t.same((await stream.next(isMessage)).message, { type: 'members' })
  t.same((await stream.next(({ message }) => message?.type === 'account')).message, { type: 'account' })
  await say('{"kind":"stored","id":7}') // in a table, since it was long
  await stream.untilEnded()
})

t.test('0.2.0 beside this version: recovery codes that it made are shown once', async (t) => {
  const { app, config } = await startApp(t)
  const { browser, user } = await verifiedUp(app)
  const { seal } = createSealing(keyRing(config.secretKeyBase)('flash'))
  const recoveryCodes = ['abcd-efgh', 'ijkl-mnop']
  browser.cookies.set('flash', seal(JSON.stringify({ secondFactor: { userId: user.id, recoveryCodes } }), 'flash'))
  t.same((await browser.visit('/settings/security')).flash, { recovery_codes: recoveryCodes })
  t.same((await browser.visit('/settings/security')).flash, {})
})
