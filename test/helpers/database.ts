import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import root, { type Test } from 'tap'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { onServer, prepareServer, template, urlOf } from './test-server.ts'

let server: ReturnType<typeof prepareServer> | undefined

/** Creates a migrated database for this test. */
export async function createDatabase(t: Test) {
  if (!server) {
    server = prepareServer()
    root.teardown(async () => (await server)?.stop())
  }
  const { url } = await server
  const name = `accounts_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(url, (sql) => sql.unsafe(`create database "${name}" template "${template}" strategy file_copy`))
  t.teardown(() => onServer(url, (sql) => sql.unsafe(`drop database if exists "${name}" with (force)`)))
  return urlOf(url, name)
}

/** Resolves once so many statements in this database wait for a lock, or once `work` is over. */
export async function untilWaiting(db: Database, work: Promise<unknown>, count = 1) {
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
  while (!isOver && (await db.execute(waiting)).rows.length < count) await sleep(5)
}

/** Starts an action that waits for a lock of a statement, and returns its outcome, which comes after the commit. */
export async function whileLocked<Outcome>(
  db: Database,
  statement: SQL,
  action: () => Promise<Outcome>,
  afterwards: (tx: Tx) => Promise<unknown> = async () => {},
) {
  const { outcome } = await db.transaction(async (tx) => {
    await tx.execute(statement)
    const outcome = action()
    await untilWaiting(db, outcome)
    await afterwards(tx)
    return { outcome } // not awaited before the lock is given up
  })
  return outcome
}

type Statement = { text: string; values: unknown[] }

const isWorking = new AsyncLocalStorage<true>()

/**
 * What some work asks of databases, with `begin` and `commit`, but without the queue's own. What others do meanwhile,
 * such as a stream that is still open, does not count.
 */
export async function statementsDuring(work: () => Promise<unknown>) {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype
  function listening(this: pg.Client, ...[config, values, ...others]: [string | Statement, unknown[], ...unknown[]]) {
    const text = typeof config === 'string' ? config : config.text
    if (isWorking.getStore()) statements.push({ text, values: values ?? [] })
    return Reflect.apply(query, this, [config, values, ...others])
  }
  Object.assign(pg.Client.prototype, { query: listening })
  await isWorking.run(true, work).finally(() => Object.assign(pg.Client.prototype, { query }))
  return statements.filter(({ text }) => !text.includes('pgboss.'))
}

/** How Postgres does it, in lines. With `analyze`, it is done. */
export async function planOf(client: Pick<pg.Client, 'query'>, { text, values }: Statement, options = 'costs off') {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (${options}) ${text}`, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
