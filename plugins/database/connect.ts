import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { currentRequest } from '../http/request.ts'
import type { Address } from './address.ts'
import { type Deadlines, localSettings, openPool } from './pool.ts'

type Callback = () => unknown
type Queries = Omit<NodePgDatabase, 'transaction'>

export type Tx = Queries & {
  /** Runs after the commit, before the transaction's result is returned. Not called after a rollback. */
  afterCommit(callback: Callback): void
}

export type Database = ReturnType<typeof connect>

export function connect(address: Address, max: number, limits?: Partial<Deadlines>) {
  const pool = openPool(address, { max, deadlines: limits })
  const begin = ['begin', ...(address.pooled ? localSettings(limits) : [])].join(';')
  const queries: Queries = queriesOn((...query) => pool.query(...query))
  return Object.assign(queries, {
    address,
    pool,
    transaction: <Result>(work: (tx: Tx) => Promise<Result>) => transaction(pool, begin, work),
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

/** Drizzle's own leaks a client whose BEGIN timed out, and gives one whose query timed out to the next request. */
async function transaction<Result>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<Result>) {
  const client = await pool.connect()
  const callbacks: Callback[] = []
  let last: Promise<unknown> = Promise.resolve()
  let broken: Error | undefined
  let isOver = false

  // One at a time, as on the wire. Later ones would run outside of the transaction.
  function send(config: string | pg.QueryConfig, values?: unknown[]) {
    const result = last.then(() => {
      if (broken || isOver) throw broken ?? new Error('the transaction is over')
      return client.query(config as pg.QueryConfig, values)
    })
    last = result.catch((error) => {
      if (!isUsableAfter(error)) broken ??= error
    })
    return result
  }

  try {
    await send(begin)
    const result = await work(
      Object.assign(queriesOn(send), { afterCommit: (then: Callback) => void callbacks.push(then) }),
    )
    const { command } = await send('commit')
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction failed, so nothing was committed')
    isOver = true
    client.release()
    for (const callback of callbacks) await callback()
    return result
  } catch (error) {
    if (isOver) throw error
    isOver = true
    await last
    if (!broken)
      await client.query('rollback').catch((failure) => {
        broken = failure
      })
    client.release(broken)
    throw error
  }
}

/** A connection that was found read-only may remain so. */
const isUsableAfter = (error: unknown) =>
  error instanceof pg.DatabaseError && !/^(08|57P|25P03|25P04|25006)/.test(error.code ?? '')
