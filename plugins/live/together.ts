import { setTimeout as sleep } from 'node:timers/promises'
import { outside } from './outside.ts'

/**
 * Works for all who ask at the same time at once: whoever comes while it works shares the next turn. One asker costs what one costs, and
 * thousands cost little more. After a turn of many it rests for as many milliseconds as `rest` says, so that more share the next one.
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
  await answers.catch(() => {}) // those who asked are told, and it is over for the others
  if (pause > 0) await sleep(pause)
}
