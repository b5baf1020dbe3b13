import { setTimeout as sleep } from 'node:timers/promises'
import { detached } from './detached.ts'

/**
 * Batches concurrent calls: those that come while a batch is processed form the next one. A single call costs the same
 * as without, thousands cost little more. After a batch of some size, it pauses for `pauseMs(size)`, so that more calls
 * share the next one.
 */
export function batched<Call, Answer>(
  work: (calls: Call[]) => Promise<Map<Call, Answer>>,
  pauseMs: (size: number) => number = () => 0,
) {
  let waiting: Call[] = []
  let next: Promise<Map<Call, Answer>> | undefined
  let current: Promise<unknown> = Promise.resolve()

  async function processNext() {
    await current
    const calls = waiting
    waiting = []
    next = undefined
    const answers = work(calls)
    current = settled(answers, pauseMs(calls.length))
    return answers
  }

  return async (call: Call) => {
    waiting.push(call)
    next ??= detached(processNext)
    return (await next).get(call)
  }
}

async function settled(answers: Promise<unknown>, pauseMs: number) {
  await answers.catch(() => {}) // its callers get the error, and later ones must not be affected
  if (pauseMs > 0) await sleep(pauseMs)
}
