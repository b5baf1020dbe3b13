type Waiter = { resume(): void; timer: NodeJS.Timeout | undefined }

/** Gives out a limited number of permits. Without a free one, `acquire` waits its turn, at most `timeoutMs`. */
export class Semaphore {
  #inUse = 0
  readonly #permits: number
  readonly #timeoutMs: number
  readonly #waiters = new Set<Waiter>()

  constructor(permits: number, timeoutMs: number) {
    this.#permits = permits
    this.#timeoutMs = timeoutMs
  }

  get stats() {
    return { inUse: this.#inUse, waiting: this.#waiters.size }
  }

  /** Returns a promise only if there is a wait. It rejects with POOL_TIMEOUT, and then there is nothing to release. */
  acquire(): Promise<void> | undefined {
    if (this.#inUse === this.#permits) return this.#wait()
    this.#inUse++
  }

  release() {
    const [next] = this.#waiters
    if (!next) return void this.#inUse--
    this.#waiters.delete(next)
    clearTimeout(next.timer)
    next.resume()
  }

  async run<T>(work: () => Promise<T>) {
    await this.acquire()
    return await work().finally(() => this.release())
  }

  #wait() {
    return new Promise<void>((resume, reject) => {
      const timeOut = () => {
        this.#waiters.delete(waiter)
        reject(Object.assign(new Error('no connection was free in time'), { code: 'POOL_TIMEOUT' }))
      }
      const waiter: Waiter = { resume, timer: setTimeout(timeOut, this.#timeoutMs) }
      this.#waiters.add(waiter)
    })
  }
}
