import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'
import { through } from './through.ts'

export type Queries = {
  count: number
  ms: number
  /** Aborts when the request has been answered without these queries. */
  signal?: AbortSignal
  /** Queries that have no result yet. */
  running: Set<{ cancel(): void }>
}
const queries = new AsyncLocalStorage<Queries>()

/** Counts and times all queries that `run` starts, including those in transactions. */
export const observingQueries = (observed: Queries, run: () => void) => queries.run(observed, run)

/**
 * Whether the request timed out. A normal end aborts the signal as well, but work that continues after the response
 * must not be cancelled.
 */
const isGivenUp = ({ signal }: Queries) => signal?.reason?.code === 'FST_ERR_HANDLER_TIMEOUT'

export function refuseWhenGivenUp() {
  const observed = queries.getStore()
  if (observed && isGivenUp(observed)) throw observed.signal?.reason
}

/**
 * Cancels what still runs for a request that timed out. Called after the response: a listener of the signal for each
 * query would cost every page.
 */
export function cancelWhenGivenUp(observed: Queries) {
  if (!isGivenUp(observed)) return
  for (const query of observed.running) query.cancel()
}

export function count(client: postgres.Sql) {
  through(client, (unsafe, ...asked) => {
    const query = unsafe(...asked)
    const observed = queries.getStore()
    if (observed) time(query, observed)
    return query
  })
}

type Query = PromiseLike<unknown> & { cancel(): void }

// A query starts when it is first awaited, so the clock starts there too.
function time(query: Query, observed: Queries) {
  observed.count++
  if (isGivenUp(observed)) query.cancel()
  const { then } = query
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already
  query.then = (resolve, reject) => {
    const start = performance.now()
    observed.running.add(query)
    const settle = () => {
      observed.running.delete(query)
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
