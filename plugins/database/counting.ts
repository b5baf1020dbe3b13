import { AsyncLocalStorage } from 'node:async_hooks'
import type { Lease } from './leases.ts'

export type Queries = {
  count: number
  ms: number
  /** Aborts when the request has been answered without these queries. */
  signal?: AbortSignal
  /** Queries that were sent and have no result yet. */
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

type Query = PromiseLike<unknown> & { cancel(): void }

/**
 * Counts and times a query for the request that asked for it, if any, and holds a lease while it runs. A query starts
 * when it is first awaited. One wrapper does both, because each would cost every page.
 */
export function observe(query: Query, lease: Lease | undefined) {
  const observed = queries.getStore()
  if (!observed && !lease) return
  if (observed) observed.count++
  const { then } = query
  // biome-ignore lint/suspicious/noThenProperty: it is a promise already
  query.then = (resolve, reject) => {
    const start = performance.now()
    const settle = () => {
      if (!observed) return
      observed.running.delete(query)
      observed.ms += performance.now() - start
    }
    const fail = (error: unknown) => {
      settle()
      if (reject) return reject(error)
      throw error
    }
    const send = () => {
      observed?.running.add(query)
      if (observed && isGivenUp(observed)) query.cancel()
      return then.call(
        query,
        (rows) => {
          lease?.giveBack()
          settle()
          return resolve ? resolve(rows) : rows
        },
        (error) => {
          lease?.giveBack()
          return fail(error)
        },
      )
    }
    const turn = lease?.take()
    return (turn ? turn.then(send, fail) : send()) as never
  }
}
