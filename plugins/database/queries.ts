import { AsyncLocalStorage } from 'node:async_hooks'
import type { Semaphore } from './semaphore.ts'

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

type Query = PromiseLike<unknown> & { cancel(): void }

/** Counts and times a query for its request, if any. It starts when it is first awaited, with a permit. */
export function observe(query: Query, semaphore: Semaphore | undefined) {
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
