import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { connect, type Database, deadlines } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { startApp } from '../../helpers/app.ts'
import { createDatabase } from '../../helpers/database.ts'
import { untilWaiting } from '../../helpers/locks.ts'
import { collectLines } from '../../helpers/log.ts'
import { startProxy } from '../../helpers/proxy.ts'

// Makes each deadline pass, at an eighth of its time.
const hurried = Object.fromEntries(
  Object.entries(deadlines).map(([name, seconds]) => [name, seconds / 8]),
) as typeof deadlines

/** Only the request's deadline passes, however busy the machine is. */
const patient = { statement: 60, lock: 60, idleTransaction: 60, answer: 60, wait: 60 }

const longQuery = sql`select pg_sleep(60)`
const never = new Promise<never>(() => {})

/** The application behind a proxy, and a direct connection. */
async function start(t: Test, given: Partial<typeof deadlines> = {}) {
  const url = await createDatabase(t)
  const proxy = await startProxy(t, url)
  const operator = connect(addressOf(url), 4)
  t.teardown(() => operator.$client.end({ timeout: 1 }))
  const { lines, logTo } = collectLines()
  const environment = { DATABASE_URL: proxy.url, DATABASE_POOL: '2', LOG_LEVEL: 'error' }
  const { app } = await startApp(t, environment, { deadlines: { ...hurried, ...given }, logTo })
  return { app, operator, proxy, lines }
}

/** Checks the response for a client that prefers JSON, and for one that does not. */
async function isRefused(t: Test, { app, lines }: { app: FastifyInstance; lines: unknown[] }, url: string) {
  const before = lines.length
  const json = await app.inject({ url, headers: { accept: 'application/json' } })
  t.equal(json.statusCode, 503)
  t.same(json.json(), { status: 503, error: 'Service Unavailable' })
  t.match(json.headers['retry-after'], /^\d+$/)
  t.match(lines.slice(before), [{ level: 50, status: 503 }], 'an error in the log')
  const html = await app.inject({ url })
  t.equal(html.statusCode, 503)
  t.equal(html.body, app.errorPage(500, app.languageOf('en')))
}

/** Statements of the application that are still running in the database. */
const running = async (operator: Database) =>
  (
    await operator.execute(sql`
      select query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and application_name = 'accounts'`)
  ).length

t.test('each deadline leaves time for those inside it', async (t) => {
  const { connect, wait, lock, statement, idleTransaction, answer, request, keepAlive } = deadlines
  t.same(
    { statement, lock, idleTransaction, answer, wait },
    {
      statement: 10,
      lock: 5,
      idleTransaction: 15,
      answer: 15,
      wait: 5,
    },
  )
  t.ok(Math.max(statement, lock, idleTransaction, answer, wait) < 30 && request === 30)
  t.ok(Math.max(connect, wait, lock) < statement, 'a statement may wait for a lock')
  t.ok(statement < Math.min(idleTransaction, answer), 'and answers before its connection is given up')
  t.ok(wait + connect + answer < request, 'before the request is')
  t.ok(keepAlive < answer)
})

t.test('a statement ends', async (t) => {
  const { app, operator, lines } = await start(t)
  app.get('/slow', () => app.db.execute(longQuery))
  await isRefused(t, { app, lines }, '/slow')
  t.equal(await running(operator), 0)
})

t.test('waiting for a lock ends', async (t) => {
  const { app, operator, lines } = await start(t)
  app.get('/locked', () => app.db.transaction((tx) => tx.execute(sql`lock table users in access exclusive mode`)))
  await operator.transaction(async (tx) => {
    await tx.execute(sql`lock table users in share mode`)
    await isRefused(t, { app, lines }, '/locked')
    t.equal(await running(operator), 1, 'the one that has the lock')
  })
})

t.test('an idle transaction ends', async (t) => {
  const { app, operator, lines } = await start(t)
  app.get('/idle', () =>
    app.db.transaction(async (tx) => {
      await tx.execute(sql`insert into accounts (name, slug) values ('Idle', 'idle')`)
      await never
    }),
  )
  await isRefused(t, { app, lines }, '/idle')
  t.same([...(await operator.execute(sql`select * from accounts`))], [])
})

t.test('waiting for a connection ends', async (t) => {
  const { app, lines } = await start(t, { idleTransaction: 60 })
  app.get('/one', () => app.db.execute(sql`select 1`))
  app.get('/two', () => app.db.transaction((tx) => tx.execute(sql`select 1`)))
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let open = 0
  const busy = [1, 2].map(() =>
    app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      if (++open === 2) begun.resolve()
      await over.promise
    }),
  )
  await begun.promise
  const refused = await Promise.all(['/one', '/two'].map((url) => app.inject({ url })))
  t.same(
    refused.map(({ statusCode }) => statusCode),
    [503, 503],
  )
  t.match(lines, [{ status: 503 }, { status: 503 }])
  over.resolve()
  await Promise.all(busy)
  t.equal((await app.inject({ url: '/one' })).statusCode, 200)
})

t.test('no query waits behind a slow one while another connection is free', async (t) => {
  const { app, operator } = await start(t, patient)
  const lock = sql`select pg_advisory_xact_lock(1)`
  await operator.transaction(async (tx) => {
    await tx.execute(lock)
    const slow = app.db.execute(lock).then(() => 'slow')
    await untilWaiting(operator, slow)
    const quick = Promise.all(Array.from({ length: 50 }, () => app.db.execute(sql`select 1`))).then(() => 'quick')
    t.equal(await Promise.race([slow, quick]), 'quick')
  })
})

t.test('connections to a silently vanished server end, in whichever direction it is silent', async (t) => {
  for (const direction of ['toServer', 'toClient'] as const) {
    const { app, operator, proxy, lines } = await start(t)
    app.get('/asked', () => app.db.execute(sql`select 1`))
    app.get('/written', () => app.db.transaction((tx) => tx.execute(sql`select 1`)))
    t.equal((await app.inject({ url: '/asked' })).statusCode, 200)
    proxy.silence(direction)
    await isRefused(t, { app, lines }, '/asked')
    await isRefused(t, { app, lines }, '/written')
    proxy.restore()
    t.equal((await app.inject({ url: '/written' })).statusCode, 200)
    t.equal(await running(operator), 0)
  }
})

t.test('a server that accepts but never responds times out', async (t) => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as { port: number }
  const { app } = await startApp(t, {}, { deadlines: hurried })
  const db = connect(addressOf(`postgres://app@127.0.0.1:${port}/app`), 1, undefined, hurried)
  app.get('/silent', () => db.execute(sql`select 1`))
  t.equal((await app.inject({ url: '/silent' })).statusCode, 503)
})

t.test('nothing of a timed-out request continues or commits', async (t) => {
  const { app, operator, lines } = await start(t, patient)
  const [reached, waited] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  const insert = (slug: string) => sql`insert into accounts (name, slug) values ('Late', ${slug})`
  const times = Array.from({ length: 9 })
  app.get('/statements', async () => {
    const rest = async () => {
      for (const _ of times) await app.db.execute(sql`select pg_sleep(1)`)
      await app.db.execute(insert('statements'))
    }
    await rest().catch(reached.resolve)
  })
  app.get('/transaction', () =>
    app.db
      .transaction(async (tx) => {
        await tx.execute(insert('transaction'))
        for (const _ of times) await tx.execute(sql`select pg_sleep(1)`)
      })
      .catch(waited.resolve),
  )
  const answers = await Promise.all(['/statements', '/transaction'].map((url) => app.inject({ url })))
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [503, 503],
  )
  t.match(lines, [{ status: 503 }, { status: 503 }])
  await Promise.all([reached.promise, waited.promise])
  t.equal(await running(operator), 0)
  t.same([...(await operator.execute(sql`select * from accounts`))], [])
})

t.test('a request whose body was read times out like any other', async (t) => {
  const { app } = await start(t)
  app.post('/change', () => new Promise(() => {}))
  const address = await app.listen({ port: 0, host: '127.0.0.1' }) // injected requests never close
  const headers = { 'content-type': 'application/json' }
  t.equal((await fetch(`${address}/change`, { method: 'POST', body: '{}', headers })).status, 503)
})

t.test('a transaction that finishes after its request timed out does not commit', async (t) => {
  const { app, operator } = await start(t, patient)
  const [answered, over] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()]
  app.get('/late', () =>
    app.db
      .transaction(async (tx) => {
        await tx.execute(sql`insert into accounts (name, slug) values ('Late', 'late')`)
        await answered.promise
      })
      .then(over.resolve, over.resolve),
  )
  t.equal((await app.inject({ url: '/late' })).statusCode, 503)
  answered.resolve()
  t.match(await over.promise, { code: 'FST_ERR_HANDLER_TIMEOUT' })
  t.same([...(await operator.execute(sql`select * from accounts`))], [])
})

t.test('an idle connection is kept alive', { skip: process.platform !== 'linux' && 'Linux' }, async (t) => {
  const url = await createDatabase(t)
  const db = connect(addressOf(url), 1)
  t.teardown(() => db.$client.end())
  const [own] = await db.execute<{ local: number; remote: number }>(
    sql`select inet_client_port() as local, inet_server_port() as remote`,
  )
  const endsIn = (port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const table = await readFile('/proc/self/net/tcp', 'utf8')
  const socket = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/)) // a closed connection to elsewhere may have had the same local port
    .find(([, local, remote]) => local?.endsWith(endsIn(own?.local)) && remote?.endsWith(endsIn(own?.remote)))
  const [timer, due = ''] = socket?.[5]?.split(':') ?? []
  t.equal(timer, '02', 'the timer of keep-alive')
  t.ok(Number.parseInt(due, 16) <= deadlines.keepAlive * 100, 'due within its time')
})

t.test('a connection brings its deadlines along', async (t) => {
  const db = connect(addressOf(await createDatabase(t)), 1)
  t.teardown(() => db.$client.end())
  const [row] = await db.execute(sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`)
  t.same(row, { statement: '10s', lock: '5s', idle: '15s' })
})

t.test('behind a pooler a transaction sets its own deadlines, and nothing remains on the connection', async (t) => {
  const url = await createDatabase(t)
  const db = connect({ ...addressOf(url), pooled: true }, 1)
  t.teardown(() => db.$client.end())
  const asked = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
  t.same([...(await db.transaction((tx) => tx.execute(asked)))], [{ statement: '10s', lock: '5s' }])
  t.same([...(await db.execute(asked))], [{ statement: '0', lock: '0' }])
  await db.execute(sql`select ${'prepared'}::text`)
  t.same([...(await db.execute(sql`select * from pg_prepared_statements`))], [])
})
