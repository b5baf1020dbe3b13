import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'
import type { Semaphore } from '../semaphore.ts'

/** The queries of a request. */
export type Queries = {
  count: number
  ms: number
  /** Aborts when the request ends. */
  signal?: AbortSignal
  /** Queries that were sent and have no result yet. */
  running: Set<{ cancel(): void }>
}
const queries = new AsyncLocalStorage<Queries>()

/** Counts and times all queries that `run` starts, including those in transactions. */
export const observeQueries = (observed: Queries, run: () => void) => queries.run(observed, run)

/**
 * Whether the request timed out. A normal end aborts the signal as well, but work that continues after the response
 * must not be cancelled.
 */
const isTimedOut = ({ signal }: Queries) => signal?.reason?.code === 'FST_ERR_HANDLER_TIMEOUT'

export function throwIfTimedOut() {
  const observed = queries.getStore()
  if (observed && isTimedOut(observed)) throw observed.signal?.reason
}

/**
 * Cancels what still runs for a request that timed out. Called after the response, because an abort listener for each
 * query would cost every page.
 */
export function cancelIfTimedOut(observed: Queries) {
  if (!isTimedOut(observed)) return
  for (const query of observed.running) query.cancel()
}

type Open = (...args: unknown[]) => Promise<unknown>

/**
 * Observes every query, also in transactions and savepoints: Drizzle sends all of them with `unsafe`. A transaction has
 * one permit of the semaphore.
 */
export function observe(client: Pick<postgres.Sql, 'unsafe'>, semaphore?: Semaphore) {
  const { unsafe } = client
  client.unsafe = ((text, parameters = [], options = {}) => {
    const query = unsafe(text, parameters, prepared(parameters, options))
    observeQuery(query, 'onexecute' in options ? undefined : semaphore) // only `begin` has this option
    return query
  }) as typeof unsafe

  const openers = client as unknown as Record<'begin' | 'savepoint', Open | undefined>
  for (const name of ['begin', 'savepoint'] as const) {
    const open = openers[name]
    if (!open) continue
    openers[name] = (...args) => {
      const work = args.pop() as (tx: typeof client) => unknown
      const start = () =>
        open(...args, (tx: typeof client) => {
          observe(tx)
          return work(tx)
        })
      return semaphore ? semaphore.run(start) : start()
    }
  }
}

// Without a kept prepared statement, a query takes two round trips: one for its parameter types, one to run. Lists
// produce a different statement for each length, which would be too many to keep.
const maxParameters = 32

/** Keeps the statement prepared, unless the client has prepared statements turned off. */
const prepared = (parameters: unknown[], options: postgres.UnsafeQueryOptions) => ({
  ...options,
  prepare: parameters.length > 0 && parameters.length <= maxParameters,
})

type Query = PromiseLike<unknown> & { cancel(): void }

/** Counts and times a query for its request, if any. It starts when it is first awaited, with a permit. */
function observeQuery(query: Query, semaphore: Semaphore | undefined) {
  const observed = queries.getStore()
  if (!observed && !semaphore) return
  if (observed) observed.count++
  const { then } = query
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already
  query.then = (resolve, reject) => run().then(resolve, reject) as never

  async function run() {
    const start = performance.now()
    try {
      return await (semaphore ? semaphore.run(send) : send())
    } finally {
      if (observed) observed.ms += performance.now() - start
      observed?.running.delete(query)
    }
  }

  function send() {
    observed?.running.add(query)
    if (observed && isTimedOut(observed)) query.cancel()
    return then.call(query) as Promise<unknown>
  }
}
