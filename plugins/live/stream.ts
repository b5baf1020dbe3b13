import type { ServerResponse } from 'node:http'
import { isStorable } from '../database/index.ts'
import { parseJson } from '../http/bodies.ts'
import type { Channel, Params, Room, Subscriber } from './broadcast.ts'

type Frame = Buffer | string

/** A target that a stream listens to. Pending until its first check, and rejected for good. */
export type Subscription = Subscriber & Target & { stream: Stream; room?: Room; key?: string; rejected?: boolean }

export const frameOf = (content: object): string => `data: ${JSON.stringify(content)}\n\n`
/** A comment keeps proxies from closing a stream, but pages can't notice it, and so not that a stream is dead. */
export const ping: Frame = ':\n\nevent: ping\ndata: {}\n\n'

const maxUnsentBytes = 1_048_576

export class Stream {
  readonly userId: number
  readonly sessionToken: string
  readonly subscriptions: Subscription[]
  readonly #response: ServerResponse
  // Frames that arrive before the stream is opened are sent after its first ones.
  #unsent: Frame[] | undefined = []

  constructor(response: ServerResponse, user: Pick<Subscriber, 'userId' | 'sessionToken'>, targets: Target[]) {
    this.#response = response
    this.userId = user.userId
    this.sessionToken = user.sessionToken
    this.subscriptions = targets.map((target) => ({ ...user, ...target, stream: this }))
  }

  open(headers: Record<string, string | string[] | number | undefined>, frames: Frame[]) {
    // The stream ends with its connection, so it needs no chunked encoding.
    this.#response.removeHeader('transfer-encoding')
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'close',
      'x-accel-buffering': 'no', // a buffering proxy would delay events
    })
    // Together with a frame, each stream would keep the hundred strings that the headers were built from.
    this.#response.flushHeaders()
    const unsent = this.#unsent ?? []
    this.#unsent = undefined
    for (const frame of ['retry: 1000\n\n', ...frames, ...unsent]) this.send(frame)
  }

  get isOpen() {
    return this.#unsent === undefined
  }

  /** Never waits: a client that does not read is dropped before its buffer costs too much memory. */
  send(frame: Frame) {
    if (this.#unsent) {
      this.#unsent.push(frame)
      return
    }
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(frame)
    if (this.#response.writableLength > maxUnsentBytes) this.#response.destroy()
  }

  end() {
    if (!this.isOpen) return
    this.#response.end()
    // A client that does not read would never receive the end.
    if (this.#response.writableNeedDrain) this.#response.destroy()
  }
}

export function send(subscriptions: Iterable<Subscription>, content: object) {
  const frames = new Map<string, Frame>()
  for (const { identifier, stream, rejected } of subscriptions) {
    if (rejected) continue
    const frame = frames.get(identifier) ?? Buffer.from(frameOf({ identifier, ...content }))
    frames.set(identifier, frame)
    stream.send(frame)
  }
}

export type Target = { identifier: string; channel: Channel; params: Params }

/** Parses an identifier: JSON with the channel's name and exactly its parameters, all strings. */
export function readIdentifier(identifier: string, channels: ReadonlyMap<string, Channel>): Target {
  const parsed = parseJson(identifier)
  const { channel: name = '', ...params } = isParams(parsed) ? parsed : {}
  const channel = channels.get(name)
  const isExact =
    channel?.params.length === Object.keys(params).length &&
    channel.params.every((param) => Object.hasOwn(params, param))
  return { identifier, channel: channel && isExact ? channel : unknownChannel, params }
}

const unknownChannel: Channel = {
  name: '',
  params: [],
  subscribe: async (_db, subscribers) => subscribers.map(() => undefined),
}

const isParams = (value: unknown): value is Params =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((param) => typeof param === 'string' && isStorable(param))
