type Waiting = { go: () => void; timer: NodeJS.Timeout }

/** Gives out a limited number of places. Whoever finds none waits in line, first come, first served. */
export class Line {
  #free: number
  readonly #patience: number
  readonly #waiting = new Set<Waiting>()

  /** `patience` in seconds. */
  constructor(places: number, patience: number) {
    this.#free = places
    this.#patience = patience
  }

  get length() {
    return this.#waiting.size
  }

  /** Takes a place: at once, or when the promise resolves. Rejects with POOL_TIMEOUT when patience runs out. */
  enter(): Promise<void> | undefined {
    if (this.#free === 0) return this.#stand()
    this.#free--
  }

  leave() {
    const [next] = this.#waiting
    if (!next) return void this.#free++
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.go()
  }

  #stand() {
    return new Promise<void>((go, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting)
        reject(Object.assign(new Error('no connection was free for a write in time'), { code: 'POOL_TIMEOUT' }))
      }
      const waiting = { go, timer: setTimeout(giveUp, this.#patience * 1000) }
      this.#waiting.add(waiting)
    })
  }
}
