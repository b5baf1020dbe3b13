import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import root, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import type { Database } from '../../plugins/database/index.ts'
import { type Config, loadConfig } from '../../server/config.ts'
import { createDatabase } from './database.ts'
import { holdToLockOrder } from './lock-order.ts'

holdToLockOrder()

export const settings = {
  NODE_ENV: 'test',
  HOST: 'http://localhost:3000',
  SECRET_KEY_BASE: 'a secret for tests, which is long enough to be one: 64 characters and more',
  DATABASE_POOL: '6',
  LOG_LEVEL: 'warn',
  APP_NAME: 'Acme Accounts',
  MAIL_FROM: 'Acme Accounts <accounts@acme.example>',
}

/** The server renders pages, and has time enough on a busy machine. */
export const rendering = { SSR_ENABLED: 'true', SSR_TIMEOUT_MS: '60000' }

type Given = Parameters<typeof buildApp>[1]

// No answer may depend on how busy the machine is.
const patience = {
  maxEventLoopDelayMs: 0,
  deadlines: { connect: 60, lock: 60, statement: 60, idleTransaction: 60, answer: 60, request: 120 },
}

/** The same application as the server's, on its own database and with a clock that the test controls. */
export async function startApp(t: Test, environment: Record<string, string> = {}, given: Given = {}) {
  const database = environment.DATABASE_URL ?? (await createDatabase(t))
  const { lines, app, ...started } = await build(database, environment, given)
  t.teardown(async () => {
    await app.close()
    printIfFailed(t, lines)
  })
  return { app, ...started }
}

/** Shared applications that no test has at the moment, by their settings. */
const idle = new Map<string, ReturnType<typeof build>[]>()

/**
 * An application of all tests of a process that take one with these settings, with an empty database and a clock that
 * is right, since a new one takes longer than most tests. It is ready, so no test can add to it. It may listen, but no
 * query of it may be intercepted, nobody may work on its jobs, and its tables stay as they are.
 */
export async function sharedApp(t: Test, environment: Record<string, string> = {}) {
  const key = JSON.stringify(environment)
  const free = idle.get(key) ?? []
  idle.set(key, free)
  const used = free.pop()
  const building = used ?? createDatabase(root).then((database) => build(database, environment))
  const { lines, app, ...started } = await building
  if (!used) root.teardown(() => app.close())
  await app.ready()
  if (used) await deleteEverything(app.db)
  lines.length = 0
  started.clock.reset()
  t.teardown(() => {
    free.push(building)
    printIfFailed(t, lines)
  })
  return { app, ...started }
}

/** What belongs to accounts and users goes with them. Deleting a few rows is faster than truncating every table. */
async function deleteEverything(db: Database) {
  const tables = (
    await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where schemaname = 'public' or (schemaname = 'pgboss' and relname like 'job%')
    order by relname not in ('accounts', 'users')`)
  ).rows
  await db.execute(sql.raw(tables.map(({ name }) => `delete from ${name}`).join(';')))
}

async function build(database: string, environment: Record<string, string> = {}, given: Given = {}) {
  const clock = new Clock()
  const config = loadConfig({ ...settings, ...environment, DATABASE_URL: database })
  const { lines, logTo } = collectLines()
  const app = await buildApp(config, { now: clock.now, logTo, ...patience, ...given })
  configs.set(app, config)
  return { app, db: app.db, config, clock, url: database, lines }
}

/** What the applications of tests were built with. A test that builds one itself adds it. */
export const configs = new WeakMap<FastifyInstance, Config>()

export function configOf(app: FastifyInstance) {
  const config = configs.get(app)
  if (!config) throw new Error('no test has built this application')
  return config
}

/** When the test has failed, prints the errors that the server logged, or else its last warnings. */
function printIfFailed(t: Test, lines: Line[]) {
  const errors = lines.filter(({ level }) => level >= 50)
  const shown = errors.length > 0 ? errors : lines.slice(-10)
  if (t.passing() || shown.length === 0) return
  const printed = shown.map(({ level, msg, err, time: _time, pid: _pid, hostname: _hostname, ...rest }) => {
    const stack = (err as Error | undefined)?.stack ?? ''
    return `${level >= 50 ? 'ERROR' : 'WARN'} ${msg} ${JSON.stringify(rest)}\n${stack}`
  })
  console.error(`What the server logged in "${t.fullname}":\n${printed.join('\n')}\n`)
}

class Clock {
  #ahead = 0
  now = () => new Date(Date.now() + this.#ahead)
  forward = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
    this.#ahead += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  }
  reset() {
    this.#ahead = 0
  }
}

export type Line = { level: number; msg: string; [name: string]: unknown }

/** A stream for the logger, and the lines written to it. */
export function collectLines() {
  const lines: Line[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  return { lines, logTo }
}

/** Listens on a free port, unless it does, for what `inject` does not support, such as streams and late bodies. */
export async function listen(app: FastifyInstance) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
}
