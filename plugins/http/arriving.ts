import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { clientOf } from './client.ts'
import { Unavailable } from './errors.ts'

type Bounds = {
  /** Milliseconds from the headers on, in which a body has to be there. */
  patience: number
  /** Bytes of memory that bodies of one client may take while they arrive, and those of all. */
  mostOfClient: number
  most: number
}

const mebibyte = 1_048_576
const usual: Bounds = { patience: 10_000, mostOfClient: 4 * mebibyte, most: 8 * mebibyte }

/**
 * Bounds what bodies take that somebody begins to send and does not end. A form is there within a moment; what takes too long, or more memory than its
 * share, is told 503 and cut off, the longest on their way first: many slow bodies push out each other, and nobody else.
 */
export default fp<Partial<Bounds>>(
  async (app, given) => {
    const bounds = { ...usual, ...given }
    const bodies = new Arriving(bounds)

    // From the headers on: also a body that nobody will read, because its request was refused, has to come to an end.
    app.addHook('onRequest', (request, _reply, done) => {
      if (hasBody(request)) bodies.expect(request.raw, clientOf(request).ipAddress)
      done()
    })
    // Fastify begins to read in this same turn, so no piece is missed.
    app.addHook('preParsing', (request, _reply, payload, done) => {
      if (hasBody(request)) {
        const { raw } = request
        const announced = lengthOf(request)
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
const perPiece = 256 // bytes that a piece takes besides its own, however small

type Body = { client: string; since: number; bytes: number }

class Arriving {
  readonly #bounds: Bounds
  readonly #bodies = new Map<IncomingMessage, Body>() // in the order in which they began
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  expect(raw: IncomingMessage, client: string) {
    this.#bodies.set(raw, { client, since: performance.now(), bytes: 0 })
    raw.once('end', () => this.#forget(raw)).once('close', () => this.#forget(raw))
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
      this.#refuse(raw)
    }
  }

  #refuseOldest(isMeant: (body: Body) => boolean) {
    for (const [raw, body] of this.#bodies) if (body.bytes > 0 && isMeant(body)) return this.#refuse(raw)
  }

  #refuse(raw: IncomingMessage) {
    this.#forget(raw)
    // Whoever reads it answers, and ends the connection; nobody does when the answer has been given already.
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
