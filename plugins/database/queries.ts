import { AsyncLocalStorage } from 'node:async_hooks'

/** The queries of a request. */
export type Queries = { count: number; ms: number }

// The functions of the domain get a database and no request, so the count travels in the async context.
const current = new AsyncLocalStorage<Queries>()

/** Counts and times all queries that `run` starts. */
export const observeQueries = (queries: Queries, run: () => void) => current.run(queries, run)

export async function timed<Result>(send: () => Promise<Result>) {
  const queries = current.getStore()
  if (!queries) return send()
  const start = performance.now()
  queries.count++
  return send().finally(() => {
    queries.ms += performance.now() - start
  })
}
