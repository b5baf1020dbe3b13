export class Semaphore {
  #inUse = 0
  readonly #permits: number
  readonly #timeoutMs: number
  readonly #timeoutError: () => Error
  readonly #waiters = new Set<() => void>()

  constructor(permits: number, timeoutMs: number, timeoutError: () => Error) {
    this.#permits = permits
    this.#timeoutMs = timeoutMs
    this.#timeoutError = timeoutError
  }

  get stats() {
    return { inUse: this.#inUse, waiting: this.#waiters.size }
  }

  async run<T>(work: () => Promise<T>) {
    if (this.#inUse === this.#permits) await this.#wait()
    else this.#inUse++
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #wait() {
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(resume)
        reject(this.#timeoutError())
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
