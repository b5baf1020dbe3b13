import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

// If the request that comes first is aborted, the others still wait for the result.
const outsideOfRequests: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()

/**
 * Calls that come while others are processed form the next batch, and those of a pause thereafter, too. One that comes
 * alone does not wait.
 */
export function batched<Call, Result>(work: (calls: Call[]) => Promise<Result>, pauseMs = 0) {
  let calls: Call[] = []
  let next: Promise<Result> | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start() {
    const batch = calls
    calls = []
    next = undefined
    return work(batch)
  }

  async function pauseAfter(batch: Promise<Result>) {
    await batch.catch(() => {}) // its callers get the error, and later ones must not be affected
    if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
  }

  return (call: Call) => {
    calls.push(call)
    if (!next) {
      next = outsideOfRequests(() => last.then(start))
      last = pauseAfter(next)
    }
    return next
  }
}
