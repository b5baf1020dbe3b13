import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ipAddressOf } from './client.ts'
import { Unavailable } from './errors.ts'

type Limits = {
  /** How long a body may take to arrive, from when it is first read. */
  timeoutMs: number
  /** Memory that unfinished bodies may hold. */
  maxBytesPerClient: number
  maxBytes: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes that take files: the size of their largest body. */
    maxUploadBytes?: number
  }
}

const mebibyte = 1_048_576
const defaults: Limits = { timeoutMs: 10_000, maxBytesPerClient: 4 * mebibyte, maxBytes: 8 * mebibyte }
const ofUploads = { maxBytesPerClient: 20 * mebibyte, maxBytes: 40 * mebibyte }

/**
 * Limits the time and memory of request bodies that are still arriving. A genuine form arrives within a moment, so a
 * body that takes too long gets a 503. When memory runs out, the oldest unfinished body is cut off first: slow uploads
 * push out each other and do not affect anyone else. Files have memory of their own, so they do not push out forms.
 */
export default fp<Partial<Limits>>(
  async (app, options) => {
    const limits = { ...defaults, ...options }
    const forms = new UnfinishedBodies(limits)
    const files = new UnfinishedBodies({ ...limits, ...ofUploads })
    const bodiesOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config.maxUploadBytes ? files : forms)
    const largest = ({ routeOptions }: FastifyRequest) => routeOptions.config.maxUploadBytes ?? routeOptions.bodyLimit

    // Track the body from the headers on: if the request is refused, nobody reads its body, and it must still end.
    app.addHook('onRequest', (request, _reply, done) => {
      if (isBodyExpected(request)) bodiesOf(request).track(request.raw, ipAddressOf(request))
      done()
    })
    // Fastify starts reading in the same tick, so no chunk is missed.
    app.addHook('preParsing', (request, _reply, payload, done) => {
      if (isBodyExpected(request)) {
        const { raw } = request
        const length = contentLength(request)
        const bodies = bodiesOf(request)
        bodies.restart(raw)
        if (length <= largest(request)) bodies.count(raw, length)
        raw.on('data', (chunk: Buffer) => bodies.count(raw, bytesPerChunk + (length > 0 ? 0 : chunk.length)))
      }
      done(null, payload)
    })

    const rejectExpired = () => {
      for (const bodies of [forms, files]) bodies.rejectOlderThan(performance.now() - limits.timeoutMs)
    }
    const timer = setInterval(rejectExpired, limits.timeoutMs / 10).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'body-limits', dependencies: ['errors'] },
)

/** Whether part of a body is still missing. */
export const isBodyExpected = (request: FastifyRequest) =>
  !request.raw.complete && (request.headers['transfer-encoding'] !== undefined || contentLength(request) > 0)

const contentLength = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)
const bytesPerChunk = 256 // overhead of a chunk, however small it is

type Body = { client: string; since: number; bytes: number }

/** Neither complete nor waiting for a reader. Node itself reads the rest after the request was answered. */
const isArriving = (raw: IncomingMessage) => !raw.complete && raw.readableFlowing !== null

class UnfinishedBodies {
  readonly #limits: Limits
  readonly #bodies = new Map<IncomingMessage, Body>() // oldest first
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  track(raw: IncomingMessage, client: string) {
    this.#bodies.set(raw, { client, since: performance.now(), bytes: 0 })
    raw.once('end', () => this.#forget(raw)).once('close', () => this.#forget(raw))
  }

  /** Restarts the clock when reading begins: until then, a slow hook is to blame, not the sender. */
  restart(raw: IncomingMessage) {
    const body = this.#bodies.get(raw)
    if (!body) return
    this.#bodies.delete(raw)
    this.#bodies.set(raw, { ...body, since: performance.now() })
  }

  count(raw: IncomingMessage, bytes: number) {
    const body = this.#bodies.get(raw)
    if (!body) return
    this.#addBytes(body, bytes)
    if (this.#bytesOfClient(body) > this.#limits.maxBytesPerClient)
      this.#rejectOldest(({ client }) => client === body.client)
    if (this.#bytes > this.#limits.maxBytes) this.#rejectOldest(() => true)
  }

  rejectOlderThan(time: number) {
    for (const [raw, { since }] of this.#bodies) {
      if (since > time) return
      if (isArriving(raw)) this.#reject(raw)
    }
  }

  #rejectOldest(matches: (body: Body) => boolean) {
    for (const [raw, body] of this.#bodies) if (body.bytes > 0 && matches(body)) return this.#reject(raw)
  }

  #reject(raw: IncomingMessage) {
    this.#forget(raw)
    // The body parser, if there is one, turns the error into a response and closes the connection. Without a listener
    // the request has been answered already, and emitting an error would crash the process.
    if (raw.listenerCount('error') > 0) raw.emit('error', new Unavailable('a body took too long or too much memory'))
    else raw.destroy()
  }

  #forget(raw: IncomingMessage) {
    const body = this.#bodies.get(raw)
    if (!body) return
    this.#bodies.delete(raw)
    this.#addBytes(body, -body.bytes)
    if (this.#bytesOfClient(body) === 0) this.#bytesOf.delete(body.client)
  }

  #addBytes(body: Body, bytes: number) {
    body.bytes += bytes
    this.#bytes += bytes
    this.#bytesOf.set(body.client, this.#bytesOfClient(body) + bytes)
  }

  #bytesOfClient = ({ client }: Body) => this.#bytesOf.get(client) ?? 0
}
