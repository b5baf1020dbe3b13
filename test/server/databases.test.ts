import t, { type Test } from 'tap'
import { loadConfig } from '../../server/config.ts'
import { prepareDatabases } from '../../server/prepare.ts'
import { listen, startApp } from '../helpers/app.ts'
import { noCertificates } from '../helpers/authority.ts'
import { runCommand } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { signedIn, signedUp, startAcme } from '../helpers/people.ts'
import { noPooler, startPooler } from '../helpers/pgbouncer.ts'
import { operatorOf, startOwnPostgres } from '../helpers/postgres.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

/** What happens at boot before the server listens. */
const prepare = (environment: Record<string, string>) =>
  prepareDatabases(loadConfig({ NODE_ENV: 'test', DATABASE_WAIT: '0', ...environment }))

/** Boots, signs up, sends a mail and opens a stream. */
async function works(t: Test, environment: Record<string, string>) {
  await prepare(environment)
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, { ...environment, ...smtp.environment })
  await listen(app)
  await app.jobs.startWorkers()
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

t.test('requests use one address; migrations, LISTEN and the queue use the direct one', async (t) => {
  const url = await createDatabase(t)
  const named = (name: string) => `${url}?application_name=${name}`
  await works(t, { DATABASE_URL: named('pooled'), DATABASE_DIRECT_URL: named('direct') })
  const usersOf = async (queries: string) => {
    const used = await operatorOf(t, url)`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ ${queries}`
    return used.map(({ name }) => name)
  }
  t.same(await usersOf('pgboss\\.job'), ['direct'])
  t.same(await usersOf('from "sessions"|"memberships"'), ['pooled'])
})

t.test('a database of QUEUE_URL that cannot hold the queue is one line', async (t) => {
  const url = new URL(await createDatabase(t))
  const operator = operatorOf(t, url.href)
  const role = url.pathname.slice(1)
  await operator.unsafe(`create role "${role}" login password 'guest'`)
  t.teardown(() => operator.unsafe(`drop owned by "${role}"; drop role "${role}"`))
  Object.assign(url, { username: role, password: 'guest' })
  const environment = { DATABASE_URL: await createDatabase(t), QUEUE_URL: url.href }
  const notAllowed =
    'The database of QUEUE_URL does not allow this role what the application needs: grant it CONNECT and CREATE'
  await t.rejects(prepare(environment), { message: notAllowed }, 'to use the tables of another role')
  await operator`drop schema pgboss cascade`
  await t.rejects(prepare(environment), { message: notAllowed }, 'to create tables')
  t.match((await runCommand('check', environment)).out, `FAILED  queue: ${notAllowed}\n`)
  await operator.unsafe(`grant create on database "${role}" to "${role}"`)
  await prepare(environment)
  await operator.unsafe(`alter role "${role}" set default_transaction_read_only = on`)
  const message = 'The database of QUEUE_URL is read-only: name the primary'
  await t.rejects(prepare(environment), { message })
})

t.test('a direct address of another database stops the boot, and `npm run check` finds it', async (t) => {
  const environment = { DATABASE_URL: await createDatabase(t), DATABASE_DIRECT_URL: await createDatabase(t) }
  const message =
    'Notifications over DATABASE_URL do not arrive over DATABASE_DIRECT_URL: ' +
    'it leads to another database, or through a transaction pooler'
  await t.rejects(prepare(environment), { message })
  t.match((await runCommand('check', environment)).out, new RegExp(`^FAILED +pooler: ${message}$`, 'm'))
})

t.test('with a certificate of a private authority', { skip: noCertificates }, async (t) => {
  const { url, issuer } = await startOwnPostgres(t, { tls: true })
  const at = (host: string, query = '') => `${url.replace('127.0.0.1', host)}${query}`
  const verified = (mode: string) => `?sslmode=${mode}&sslrootcert=${issuer?.path}`

  await works(t, { DATABASE_URL: at('localhost', verified('verify-full')) })
  const open = await operatorOf(t, url)`
    select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where datname = current_database() and application_name like 'accounts%'`
  t.ok(open.length > 2, 'of requests and of LISTEN')
  t.ok(open.every(({ ssl }) => ssl))

  await prepare({ DATABASE_URL: at('127.0.0.1', verified('verify-ca')) })
  await prepare({ DATABASE_URL: at('127.0.0.1', '?sslmode=require') })
  const DATABASE_CA = issuer?.certificate.replaceAll('\n', '\\n') ?? ''
  await prepare({ DATABASE_URL: at('localhost'), DATABASE_CA })

  const refused = { message: /^The database of DATABASE_URL has a certificate [^\n]+$/ }
  await t.rejects(prepare({ DATABASE_URL: at('127.0.0.1', verified('verify-full')) }), refused, 'for another host')
  await t.rejects(prepare({ DATABASE_URL: at('127.0.0.1'), DATABASE_CA }), refused, 'for another host')
  await t.rejects(prepare({ DATABASE_URL: at('localhost', '?sslrootcert=system') }), refused, 'nobody vouches for it')
})

t.test('a server that wants TLS is one line with the mend', async (t) => {
  const { url, data } = await startOwnPostgres(t, { tls: true })
  await operatorOf(t, url).unsafe(`
    copy (select 'hostssl all all all trust') to '${data}/pg_hba.conf';
    select pg_reload_conf()`)
  for (;;) {
    const failure: Error | undefined = await prepare({ DATABASE_URL: url }).then(
      () => undefined,
      (error) => error,
    )
    if (!failure) continue // not reloaded yet
    const line = 'The database of DATABASE_URL rejects this role, or wants TLS: add sslmode=require to the address'
    return t.equal(failure.message, line)
  }
})

t.test('through PgBouncer in transaction mode, with a direct address', { skip: noPooler }, async (t) => {
  const direct = await createDatabase(t)
  const pooled = await startPooler(t, direct)
  const app = await works(t, { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct })
  const settings = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
  t.same((await app.db.transaction((tx) => tx.execute(settings))).rows, [{ lock: '1min', statement: '1min' }])
  t.same((await app.db.execute(settings)).rows, [{ lock: '0', statement: '0' }], 'nothing stays on the connection')
  t.same((await app.db.execute('select * from pg_prepared_statements')).rows, [])

  const message =
    'Notifications do not arrive over DATABASE_URL, which looks like a transaction pooler: ' +
    'set DATABASE_DIRECT_URL to the address of the database itself'
  await t.rejects(prepare({ DATABASE_URL: pooled }), { message })
})

t.test('through PgBouncer in session mode, with its default settings', { skip: noPooler }, async (t) => {
  const pooled = await startPooler(t, await createDatabase(t), 'session')
  const app = await works(t, { DATABASE_URL: pooled })
  const { rows } = await app.db.execute(`
  select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`)
  t.same(rows, [{ lock: '1min', statement: '1min', idle: '1min' }])

  const message =
    'The database of DATABASE_URL is behind a pooler that refuses the startup parameter options: ' +
    'remove it from the address, or name it in ignore_startup_parameters of PgBouncer'
  await t.rejects(prepare({ DATABASE_URL: `${pooled}?options=-c%20search_path%3Dpublic` }), { message })
})
