import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ipAddressOf } from './client.ts'
import { Unavailable } from './errors.ts'

type Bounds = {
  /** How long a body may take to arrive, in milliseconds from when it is first read. */
  patience: number
  /** Memory that unfinished bodies may hold, in bytes: per client, and in total. */
  mostOfClient: number
  most: number
}

const mebibyte = 1_048_576
const usual: Bounds = { patience: 10_000, mostOfClient: 4 * mebibyte, most: 8 * mebibyte }

/**
 * Limits the time and memory of request bodies that are still arriving. A genuine form arrives within a moment, so a
 * body that takes too long gets a 503. When memory runs out, the oldest unfinished body is cut off first: slow uploads
 * push out each other and do not affect anyone else.
 */
export default fp<Partial<Bounds>>(
  async (app, given) => {
    const bounds = { ...usual, ...given }
    const bodies = new Arriving(bounds)

    // Track the body from the headers on: if the request is refused, nobody reads its body, and it must still end.
    app.addHook('onRequest', (request, _reply, done) => {
      if (hasBody(request)) bodies.expect(request.raw, ipAddressOf(request))
      done()
    })
    // Fastify starts reading in the same tick, so no chunk is missed.
    app.addHook('preParsing', (request, _reply, payload, done) => {
      if (hasBody(request)) {
        const { raw } = request
        const announced = lengthOf(request)
        bodies.begin(raw)
        if (announced <= request.routeOptions.bodyLimit) bodies.take(raw, announced)
        raw.on('data', (piece: Buffer) => bodies.take(raw, perPiece + (announced > 0 ? 0 : piece.length)))
      }
      done(null, payload)
    })

    const clock = setInterval(() => bodies.refuseThoseBefore(performance.now() - bounds.patience), bounds.patience / 10)
    clock.unref()
    app.addHook('onClose', async () => clearInterval(clock))
  },
  { name: 'arriving', dependencies: ['errors'] },
)

const hasBody = (request: FastifyRequest) =>
  !request.raw.complete && (request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0)

const lengthOf = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)
const perPiece = 256 // overhead of a chunk in bytes, however small it is

type Body = { client: string; since: number; bytes: number }

/** Neither complete nor waiting for a reader. Node itself reads the rest after the request was answered. */
const isOnItsWay = (raw: IncomingMessage) => !raw.complete && raw.readableFlowing !== null

class Arriving {
  readonly #bounds: Bounds
  readonly #bodies = new Map<IncomingMessage, Body>() // oldest first
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  expect(raw: IncomingMessage, client: string) {
    this.#bodies.set(raw, { client, since: performance.now(), bytes: 0 })
    raw.once('end', () => this.#forget(raw)).once('close', () => this.#forget(raw))
  }

  /** Restarts the clock when reading begins: until then, a slow hook is to blame, not the sender. */
  begin(raw: IncomingMessage) {
    const body = this.#bodies.get(raw)
    if (!body) return
    this.#bodies.delete(raw)
    this.#bodies.set(raw, { ...body, since: performance.now() })
  }

  take(raw: IncomingMessage, bytes: number) {
    const body = this.#bodies.get(raw)
    if (!body) return
    this.#count(body, bytes)
    if (this.#bytesOfClient(body) > this.#bounds.mostOfClient)
      this.#refuseOldest(({ client }) => client === body.client)
    if (this.#bytes > this.#bounds.most) this.#refuseOldest(() => true)
  }

  refuseThoseBefore(time: number) {
    for (const [raw, { since }] of this.#bodies) {
      if (since > time) return
      if (isOnItsWay(raw)) this.#refuse(raw)
    }
  }

  #refuseOldest(isMeant: (body: Body) => boolean) {
    for (const [raw, body] of this.#bodies) if (body.bytes > 0 && isMeant(body)) return this.#refuse(raw)
  }

  #refuse(raw: IncomingMessage) {
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
    this.#count(body, -body.bytes)
    if (this.#bytesOfClient(body) === 0) this.#bytesOf.delete(body.client)
  }

  #count(body: Body, bytes: number) {
    body.bytes += bytes
    this.#bytes += bytes
    this.#bytesOf.set(body.client, this.#bytesOfClient(body) + bytes)
  }

  #bytesOfClient = ({ client }: Body) => this.#bytesOf.get(client) ?? 0
}
