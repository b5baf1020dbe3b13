import postgres from 'postgres'
import t, { type Test } from 'tap'
import { loadConfig } from '../../server/config.ts'
import { prepareDatabases } from '../../server/prepare.ts'
import { startAcme } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import { noCertificates } from '../helpers/authority.ts'
import { createDatabase } from '../helpers/database.ts'
import { listen } from '../helpers/listen.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { noPooler, startPooler } from '../helpers/pgbouncer.ts'
import { startOwnPostgres } from '../helpers/postgres.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

/** What happens at boot before the server listens. */
const prepare = (environment: Record<string, string>) =>
  prepareDatabases(loadConfig({ NODE_ENV: 'test', DATABASE_WAIT: '0', ...environment }))

const unheard = {
  message:
    'Notifications do not arrive over DATABASE_URL, which looks like a transaction pooler: ' +
    'set DATABASE_DIRECT_URL to the address of the database itself',
}

/** Boots, signs up, sends a mail and opens a stream. */
async function works(t: Test, environment: Record<string, string>) {
  await prepare(environment)
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, { ...environment, ...smtp.environment })
  await listen(app)
  await app.mail.work()
  const { owner } = await startAcme(app)
  t.equal((await smtp.next()).recipient, owner.person.email)
  const stream = await openStream(t, app, owner.browser, [accountIdentifier('acme')])
  await stream.next(({ type }) => type === 'presence')
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  t.same((await stream.next(({ message }) => message !== undefined)).message, { type: 'account' })

  const { browser, person, slug } = await signedUp(app)
  const visits = await Promise.all(Array.from({ length: 40 }, () => browser.request('GET', `/${slug}`)))
  t.ok(visits.every(({ statusCode }) => statusCode === 200))
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
  return app
}

t.test('without TLS, on the second of two hosts, which accepts writes', async (t) => {
  const hosts = (await createDatabase(t)).replace(/@([^/]+)/, '@127.0.0.1:1,$1')
  await works(t, { DATABASE_URL: `${hosts}?sslmode=disable&target_session_attrs=read-write` })
})

t.test('requests use one address; migrations, LISTEN and the queue use the direct one', async (t) => {
  const url = await createDatabase(t)
  const environment = {
    DATABASE_URL: `${url}?application_name=pooled`,
    DATABASE_DIRECT_URL: `${url}?application_name=direct`,
  }
  const operator = postgres(url, { max: 2 })
  t.teardown(() => operator.end())
  const waiting = await operator.begin(async (tx) => {
    await tx`lock table drizzle.__drizzle_migrations`
    const prepared = prepare(environment)
    for (;;) {
      const waiting = await operator`
        select application_name as name from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      if (waiting.length > 0) return { names: waiting.map(({ name }) => name), prepared }
    }
  })
  t.same(waiting.names, ['direct'])
  await waiting.prepared

  await works(t, environment)
  const open = await operator<{ name: string; query: string }[]>`
    select application_name as name, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const usersOf = (queries: RegExp) => [
    ...new Set(open.flatMap(({ name, query }) => (queries.test(query) ? name : []))),
  ]
  t.same(usersOf(/^listen/i), ['direct'])
  t.same(usersOf(/pgboss\.job/), ['direct'])
  t.same(usersOf(/from "sessions"|"memberships"/), ['pooled'])
})

t.test('with a certificate of a private authority', { skip: noCertificates }, async (t) => {
  const { url, issuer } = await startOwnPostgres(t, { tls: true })
  const at = (host: string, query = '', database = 'app') =>
    url.replace('127.0.0.1', host).replace(/app$/, `${database}${query}`)
  const verified = (mode: string) => `?sslmode=${mode}&sslrootcert=${issuer?.path}`

  const operator = postgres(url, { max: 1 })
  for (const [mode, host, query] of [
    ['require', '127.0.0.1', '?sslmode=require'],
    ['verify-ca', '127.0.0.1', verified('verify-ca')],
    ['verify-full', 'localhost', verified('verify-full')],
  ] as const) {
    await operator.unsafe(`create database "${mode}" template app`)
    const { db } = await works(t, { DATABASE_URL: at(host, query, mode) })
    const open = await db.$client`
      select ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = current_database()`
    t.ok(open.length > 4, 'of requests, of LISTEN and of the queue')
    t.ok(
      open.every(({ ssl }) => ssl),
      mode,
    )
  }
  await operator.end()

  const isEncrypted = async (environment: Record<string, string>) => {
    await prepare(environment)
    const { app } = await startApp(t, environment)
    const [row] = await app.db.$client`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl
  }
  const DATABASE_CA = issuer?.certificate.replaceAll('\n', '\\n') ?? ''
  t.equal(await isEncrypted({ DATABASE_URL: at('localhost'), DATABASE_CA }), true)
  t.equal(await isEncrypted({ DATABASE_URL: at('127.0.0.1') }), true, 'it is used when it is offered')
  t.equal(await isEncrypted({ DATABASE_URL: at('127.0.0.1', '?sslmode=disable') }), false)

  const refused = { message: /^The database of DATABASE_URL has a certificate [^\n]+$/ }
  await t.rejects(prepare({ DATABASE_URL: at('127.0.0.1', verified('verify-full')) }), refused, 'for another host')
  await t.rejects(prepare({ DATABASE_URL: at('127.0.0.1'), DATABASE_CA }), refused, 'for another host')
  await t.rejects(prepare({ DATABASE_URL: at('localhost', '?sslrootcert=system') }), refused, 'nobody vouches for it')
})

const ignoring = { ignore_startup_parameters: 'options' }

t.test('through PgBouncer in session mode, which ignores startup options', { skip: noPooler }, async (t) => {
  await works(t, { DATABASE_URL: await startPooler(t, await createDatabase(t), 'session', ignoring) })
})

t.test('a PgBouncer that refuses startup options is one line with the mend', { skip: noPooler }, async (t) => {
  const direct = await createDatabase(t)
  for (const mode of ['session', 'transaction'] as const) {
    await t.rejects(prepare({ DATABASE_URL: await startPooler(t, direct, mode) }), {
      message:
        'The database of DATABASE_URL is behind a pooler that refuses our time limits: have it ignore them ' +
        '(PgBouncer: ignore_startup_parameters = options) and give them to the role, or set DATABASE_DIRECT_URL ' +
        '(see docs/deployment.md)',
    })
  }
})

t.test('through PgBouncer in transaction mode, with a direct address', { skip: noPooler }, async (t) => {
  const direct = await createDatabase(t)
  const pooled = await startPooler(t, direct, 'transaction')
  await works(t, { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct })
  await t.rejects(prepare({ DATABASE_URL: await startPooler(t, direct, 'transaction', ignoring) }), unheard)
})

t.test('the first boot behind PgBouncer in transaction mode says so, too', { skip: noPooler }, async (t) => {
  const url = await createDatabase(t)
  const operator = postgres(url, { max: 1, onnotice() {} })
  await operator.unsafe('drop schema public, drizzle, pgboss cascade; create schema public')
  await operator.end()
  await t.rejects(prepare({ DATABASE_URL: await startPooler(t, url, 'transaction', ignoring) }), unheard)
})

t.test('a process opens as many connections as docs/configuration.md says', async (t) => {
  const url = await createDatabase(t)
  const { app, db } = await startApp(t, { DATABASE_URL: url, DATABASE_POOL: '4' })
  await listen(app)
  await app.mail.work()
  const { owner } = await startAcme(app)
  await openStream(t, app, owner.browser, [accountIdentifier('acme')])
  await Promise.all(Array.from({ length: 200 }, () => owner.browser.request('GET', '/acme/members')))
  const [row] = await db.$client<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where datname = current_database() and application_name like 'accounts%'`
  t.equal(row?.count, 4 + 3)
})
