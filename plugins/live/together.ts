/**
 * Works for all who ask at the same time at once: whoever comes while it works shares the next turn. One asker costs what one costs, and
 * thousands cost little more.
 */
export function together<Asker, Answer>(work: (askers: Asker[]) => Promise<Map<Asker, Answer>>) {
  let waiting: Asker[] = []
  let next: Promise<Map<Asker, Answer>> | undefined
  let current: Promise<unknown> = Promise.resolve()

  async function turn() {
    await current
    const askers = waiting
    waiting = []
    next = undefined
    const answers = work(askers)
    current = answers.catch(() => {}) // those who asked are told, and it is over for the others
    return answers
  }

  return async (asker: Asker) => {
    waiting.push(asker)
    next ??= turn()
    return (await next).get(asker)
  }
}
