import type { ServerResponse } from 'node:http'
import type { Channel, Params, Room } from './channel.ts'

export type Frame = Buffer | string

/** One of the things that a stream listens to. It is pending until its first check has an answer, and rejected for good. */
export interface Subscription {
  readonly identifier: string
  readonly stream: Stream
  readonly channel: Channel
  readonly params: Params
  room?: Room
  key?: string
  rejected: boolean
}

export const frameOf = (content: object): string => `data: ${JSON.stringify(content)}\n\n`
export const comment: Frame = ':\n\n'

const mostUnsent = 1_048_576 // bytes

/** One open response of server-sent events. */
export class Stream {
  readonly userId: number
  readonly sessionToken: string
  subscriptions: Subscription[] = []
  readonly #response: ServerResponse
  // what arrives before the opening has been written comes after it
  #held: Frame[] | undefined = []
  #endsAtOnce = false

  constructor(response: ServerResponse, { userId, sessionToken }: { userId: number; sessionToken: string }) {
    this.#response = response
    this.userId = userId
    this.sessionToken = sessionToken
  }

  open(headers: Record<string, string | string[] | number | undefined>, frames: Frame[]) {
    this.#response.removeHeader('transfer-encoding') // a stream ends with its connection, so it need not be cut into chunks
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no', // a proxy that collects what we send would make it late
    })
    this.#response.flushHeaders() // by themselves, or each stream would keep the hundred pieces that they were put together from
    const held = this.#held ?? []
    this.#held = undefined
    for (const frame of ['retry: 1000\n\n', ...frames, ...held]) this.send(frame)
    if (this.#endsAtOnce) this.end()
  }

  get isOpen() {
    return this.#held === undefined
  }

  /** Never waits: who does not read what was sent is dropped, before it costs the others. */
  send(frame: Frame) {
    if (this.#held) {
      this.#held.push(frame)
      return
    }
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(frame)
    if (this.#response.writableLength > mostUnsent) this.#response.destroy()
  }

  /** The client will come back, here or to another process. */
  end() {
    if (this.#held) {
      this.#endsAtOnce = true
      return
    }
    this.#response.end()
    if (this.#response.writableNeedDrain) this.#response.destroy() // it does not read, so an end would never arrive
  }
}
