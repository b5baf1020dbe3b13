import type { Stream } from './stream.ts'

const maxOfUser = 30

/** The open streams of this process, all and by user. */
export class Streams {
  readonly #all = new Set<Stream>()
  readonly #ofUser = new Map<number, Set<Stream>>()

  /** Returns the user's oldest stream if this is one too many. */
  add(stream: Stream) {
    this.#all.add(stream)
    const own = this.#ofUser.get(stream.userId) ?? new Set()
    this.#ofUser.set(stream.userId, own.add(stream))
    const [oldest] = own
    return own.size > maxOfUser ? oldest : undefined
  }

  delete(stream: Stream) {
    this.#all.delete(stream)
    const own = this.#ofUser.get(stream.userId)
    own?.delete(stream)
    if (own?.size === 0) this.#ofUser.delete(stream.userId)
  }

  has(stream: Stream) {
    return this.#all.has(stream)
  }

  of(userId: number): Iterable<Stream> {
    return this.#ofUser.get(userId) ?? []
  }

  [Symbol.iterator]() {
    return this.#all.values()
  }

  get size() {
    return this.#all.size
  }
}
