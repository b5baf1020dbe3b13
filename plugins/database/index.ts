import { AsyncLocalStorage } from 'node:async_hooks'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { drizzle } from 'drizzle-orm/postgres-js'
import fp from 'fastify-plugin'
import postgres from 'postgres'

export type Database = ReturnType<typeof connect>
/** An open transaction. What takes a Tx writes several rows that must stand or fall together. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

/** app.db: one pool for the process, closed with the application. */
export default fp<{ url: string; pool: number }>(
  async (app, { url, pool }) => {
    const db = connect(url, pool)
    app.decorate('db', db)
    app.addHook('onClose', () => db.$client.end({ timeout: 5 }))
  },
  { name: 'database' },
)

export function connect(url: string, pool: number) {
  const sql = postgres(url, {
    max: pool,
    fetch_types: false, // no column is an array, so each connection may skip a query
    connect_timeout: 5, // seconds until a server that accepts and says nothing is an error
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; else up to 20 pass before a database that is back is tried again
    onnotice: () => {},
    answer_timeout: 15, // seconds without a word after which a host that owes an answer has vanished
    connection: { application_name: 'accounts' },
  })
  if (!('answer_timeout' in sql.options))
    throw new Error('postgres.js is not mended: install with `npm ci`, scripts included')
  observe(sql)
  const db = drizzle({ client: sql, casing: 'snake_case' })
  const begin = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    const callbacks: Callback[] = []
    const result = await begin((tx) => {
      committed.set(tx, callbacks)
      return work(tx)
    }, config)
    for (const callback of callbacks) await callback()
    return result
  }
  return db
}

type Callback = () => Promise<unknown>
const committed = new WeakMap<object, Callback[]>()

/** Runs once the transaction has committed, before its result is handed on, and never when it is rolled back. */
export function afterCommit(tx: Tx, callback: Callback) {
  const callbacks = committed.get(tx)
  if (!callbacks) throw new Error('only a transaction that app.db began can tell when it commits')
  callbacks.push(callback)
}

/** Whether a text column can hold it: Postgres stores neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Whether a statement failed because another row has the value already. */
export const isUniqueViolation = (error: unknown) =>
  error instanceof DrizzleQueryError && error.cause instanceof postgres.PostgresError && error.cause.code === '23505'

export type Queries = { count: number; ms: number }
const queries = new AsyncLocalStorage<Queries>()

/** Counts and times all queries that `run` starts, also those of transactions. */
export const observingQueries = (observed: Queries, run: () => void) => queries.run(observed, run)

// A statement that is not kept prepared takes two round trips: one to learn its types, one to run. A list of any length makes a text of its own for
// each length, which would be too many to keep.
const mostParameters = 32
const isKept = (parameters: unknown[]) => parameters.length > 0 && parameters.length <= mostParameters

// Drizzle sends everything through `unsafe`, of the pool or of the connection that `begin` hands out.
function observe(sql: postgres.Sql) {
  const { unsafe, begin } = sql
  sql.unsafe = ((text, parameters = [], options) => {
    const observed = queries.getStore()
    const query = unsafe(text, parameters, { ...options, prepare: isKept(parameters) })
    if (observed) time(query, observed)
    return query
  }) as typeof unsafe
  sql.begin = ((...args: unknown[]) => {
    const work = args.pop() as (tx: postgres.TransactionSql) => unknown
    const observed = (tx: postgres.TransactionSql) => {
      observe(tx as unknown as postgres.Sql)
      return work(tx)
    }
    return (begin as (...args: unknown[]) => unknown)(...args, observed)
  }) as typeof begin
}

// A query starts when it is first awaited, so that is where the clock starts too.
function time(query: PromiseLike<unknown>, observed: Queries) {
  observed.count++
  const { then } = query
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already
  query.then = (resolve, reject) => {
    const start = performance.now()
    const settle = () => {
      observed.ms += performance.now() - start
    }
    return then.call(
      query,
      (rows) => {
        settle()
        return resolve ? resolve(rows) : rows
      },
      (error) => {
        settle()
        if (reject) return reject(error)
        throw error
      },
    ) as never
  }
}
