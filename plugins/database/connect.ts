import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { currentRequest } from '../http/request.ts'
import type { Address } from './address.ts'
import { isConflict, isUsableAfter } from './failures.ts'

/** Time limits in seconds, 0 for none. Each leaves enough time for those inside it. */
export const deadlines = {
  /** Connecting, and waiting for a connection of the pool. */
  connect: 5,
  lock: 5,
  statement: 10,
  idleTransaction: 15,
  /** A query without any response, whose host may have vanished. Its connection is closed. */
  answer: 15,
  request: 30,
}
export type Deadlines = typeof deadlines

function clientOptions(address: Address, others: Partial<Deadlines> = {}) {
  const limits = { ...deadlines, ...others }
  const { host, port, user, password, database, ssl, options } = address
  return {
    ...{ host, port, user, password, database, ssl, options },
    application_name: address.applicationName ?? 'accounts',
    connectionTimeoutMillis: (address.connectSeconds || limits.connect) * 1000,
    query_timeout: limits.answer * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  } satisfies pg.ClientConfig
}

function settingsOf(limits: Partial<Deadlines> = {}) {
  const { statement, lock, idleTransaction } = { ...deadlines, ...limits }
  return [
    `statement_timeout = ${statement * 1000}`,
    `lock_timeout = ${lock * 1000}`,
    `idle_in_transaction_session_timeout = ${idleTransaction * 1000}`,
  ]
}

export const localSettings = (limits?: Partial<Deadlines>) => settingsOf(limits).map((each) => `set local ${each}`)

/** PgBouncer refuses such settings as startup parameters, but passes `set` on, in the mode by session. */
const sessionSettings = (limits?: Partial<Deadlines>) => settingsOf(limits).map((each) => `set ${each}`)

export function openPool(address: Address, max: number, limits?: Partial<Deadlines>) {
  const pool = new pg.Pool({
    ...clientOptions(address, limits),
    max,
    idleTimeoutMillis: 60_000,
    // A pooler by transaction would give settings to the next user of the connection.
    ...(!address.pooled && { onConnect: (client) => client.query(sessionSettings(limits).join(';')) }),
  })
  // Without a listener, the error of a lost connection ends the process. Its queries fail by themselves.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Work<T> = (client: pg.Client) => Promise<T>

/** A connection of its own, without the limits of statements and locks that a pool sets. */
export async function withClient<T>(address: Address, work: Work<T>, limits?: Partial<Deadlines>) {
  const client = new pg.Client(clientOptions(address, limits))
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.end().catch(() => {}) // not awaited: a silent server would never confirm it
  }
}

type Callback = () => unknown
type Queries = Omit<NodePgDatabase, 'transaction'>

export type Tx = Queries & {
  /** That of the database, the same in all of its transactions. */
  pool: pg.Pool
  /** Runs after the commit, before the transaction's result is returned. Not called after a rollback. */
  afterCommit(callback: Callback): void
  /** Sends a notification with the commit. All of a transaction are one statement, right before it. */
  notify(channel: string, payload: string): void
}

export type Database = ReturnType<typeof connect>

type Report = (error: unknown) => void

/** `report` gets the errors of what runs after a commit. */
export function connect(address: Address, max: number, limits?: Partial<Deadlines>, report: Report = () => {}) {
  const pool = openPool(address, max, limits)
  const begin = ['begin', ...(address.pooled ? localSettings(limits) : [])].join(';')
  // What is committed must not look failed.
  const tryOrReport = <Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> =>
    Promise.try(work).catch((error) => {
      report(error)
      return undefined
    })
  const queries: Queries = queriesOn((...query) => retryConflicts(() => pool.query(...query)))
  return Object.assign(queries, {
    address,
    pool,
    /**
     * Commits what `work` does, or nothing. After a deadlock or a StaleRead it is called again, so it changes nothing
     * but through `tx` and `afterCommit`.
     */
    async transaction<Result>(work: (tx: Tx) => Promise<Result>) {
      const { result, callbacks } = await retryConflicts(() => attempt(pool, begin, work))
      for (const callback of callbacks) await tryOrReport(callback)
      return result
    },
    /** For what follows a commit and must not fail the answer. Undefined if it fails, which is only reported. */
    tryOrReport,
    /** The name to prepare a statement by. A pooler by transaction would not find it on the next connection. */
    statement: (name: string) => (address.pooled ? '' : name),
    stats: () => ({ used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      if (!pool.ending) await pool.end()
    },
  })
}

type Send = (config: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResult>

/** Drizzle asks nothing of its client but `query`. */
function queriesOn(send: Send): Queries {
  const query: Send = (config, values) => {
    const { queries = { count: 0, ms: 0 } } = currentRequest() ?? {}
    const start = performance.now()
    queries.count++
    return send(config, values).finally(() => {
      queries.ms += performance.now() - start
    })
  }
  return drizzle({ client: { query } as unknown as pg.Pool, casing: 'snake_case' })
}

const maxTries = 5

/** What was rolled back because of another transaction is done again. */
async function retryConflicts<Result>(work: () => Promise<Result>) {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || tries === maxTries) throw error
    }
  }
}

const notifyAll = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as each(channel, payload)'

/** Drizzle's own leaks a client whose BEGIN timed out, and gives one whose query timed out to the next request. */
async function attempt<Result>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<Result>) {
  const client = await pool.connect()
  const callbacks: Callback[] = []
  const notified: { channels: string[]; payloads: string[] } = { channels: [], payloads: [] }
  let last: Promise<unknown> = Promise.resolve()
  let broken: Error | undefined
  let conflict: Error | undefined
  let isOver = false

  // One at a time, as on the wire. None runs after the last, where it would be outside of the transaction.
  function send(config: string | pg.QueryConfig, values?: unknown[], isLast = false) {
    const result = last.then(() => {
      if (broken || isOver) throw broken ?? new Error('the transaction is over')
      isOver = isLast
      return client.query(config as pg.QueryConfig, values)
    })
    last = result.catch((error) => {
      if (!isUsableAfter(error)) broken ??= error
      if (isConflict(error)) conflict ??= error
    })
    return result
  }

  function afterCommit(callback: Callback) {
    callbacks.push(callback)
  }

  function notify(channel: string, payload: string) {
    notified.channels.push(channel)
    notified.payloads.push(payload)
  }

  try {
    await send(begin)
    const result = await work(
      Object.assign(
        queriesOn((...query) => send(...query)),
        { afterCommit, notify, pool },
      ),
    )
    const { channels, payloads } = notified
    if (channels.length > 0) await send(notifyAll, [channels, payloads])
    const { command } = await send('commit', [], true)
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction failed, so nothing was committed')
    return { result, callbacks }
  } catch (error) {
    // Postgres has rolled back what it refused to commit.
    if (!isOver) await send('rollback', [], true).catch(() => {}) // the connection may be lost
    throw conflict ?? error // the work may have made another error of it
  } finally {
    client.release(broken)
  }
}
