/** Limits how much runs at the same time. What is too much waits its turn, at most `timeoutMs`. */
export class Semaphore {
  #inUse = 0
  readonly #permits: number
  readonly #timeoutMs: number
  readonly #waiters = new Set<() => void>()

  constructor(permits: number, timeoutMs: number) {
    this.#permits = permits
    this.#timeoutMs = timeoutMs
  }

  get stats() {
    return { inUse: this.#inUse, waiting: this.#waiters.size }
  }

  /** Rejects with POOL_TIMEOUT if the wait takes too long. */
  async run<T>(work: () => Promise<T>) {
    if (this.#inUse === this.#permits) await this.#wait()
    else this.#inUse++
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  /** Until another passes its permit on. */
  #wait() {
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(resume)
        reject(Object.assign(new Error('no connection was free in time'), { code: 'POOL_TIMEOUT' }))
      }, this.#timeoutMs)
      const resume = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiters.add(resume)
    })
  }

  #release() {
    const [next] = this.#waiters
    if (!next) return void this.#inUse--
    this.#waiters.delete(next)
    next()
  }
}
