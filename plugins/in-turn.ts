import { Unavailable } from './http/errors.ts'

/**
 * A function that runs work of one person after the other, so that nobody fills the pool with what takes long, such as
 * searches. Work whose client has left meanwhile is not begun.
 */
export function inTurn() {
  const last = new Map<number, Promise<unknown>>()

  return async <Result>(userId: number, client: AbortSignal, work: () => Promise<Result>) => {
    const before = last.get(userId)
    const turn = (async () => {
      await before?.catch(() => {})
      if (client.aborted) throw new Unavailable('the client left while its request waited')
      return work()
    })()
    last.set(userId, turn)
    try {
      return await turn
    } finally {
      if (last.get(userId) === turn) last.delete(userId)
    }
  }
}
