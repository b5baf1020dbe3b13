import { AsyncLocalStorage } from 'node:async_hooks'

// If the request that comes first is aborted, the others still wait for the result.
const outsideOfRequests: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()

/** Calls that come while others are processed form the next batch. One that comes alone does not wait. */
export function batched<Call, Result>(work: (calls: Call[]) => Promise<Result>) {
  let calls: Call[] = []
  let next: Promise<Result> | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start() {
    const batch = calls
    calls = []
    next = undefined
    return work(batch)
  }

  return (call: Call) => {
    calls.push(call)
    if (!next) {
      next = outsideOfRequests(() => last.then(start))
      last = next.catch(() => {}) // its callers get the error, and later ones must not be affected
    }
    return next
  }
}
