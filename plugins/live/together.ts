import { setTimeout as sleep } from 'node:timers/promises'
import { outside } from './outside.ts'

/**
 * Batches concurrent calls: callers that arrive during a turn share the next one. A single caller costs the same as
 * without, thousands cost little more. After a turn, it pauses for as many milliseconds as `rest` returns, so that more
 * callers share the next one.
 */
export function together<Asker, Answer>(
  work: (askers: Asker[]) => Promise<Map<Asker, Answer>>,
  rest: (askers: number) => number = () => 0,
) {
  let waiting: Asker[] = []
  let next: Promise<Map<Asker, Answer>> | undefined
  let current: Promise<unknown> = Promise.resolve()

  async function turn() {
    await current
    const askers = waiting
    waiting = []
    next = undefined
    const answers = work(askers)
    current = over(answers, rest(askers.length))
    return answers
  }

  return async (asker: Asker) => {
    waiting.push(asker)
    next ??= outside(turn)
    return (await next).get(asker)
  }
}

async function over(answers: Promise<unknown>, pause: number) {
  await answers.catch(() => {}) // its callers get the error, and later ones must not be affected
  if (pause > 0) await sleep(pause)
}
