import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const firstBytes = 4_096
const lingerMs = 2_000
const maxDroppedBytes = 16_777_216 // the largest body that is read, and 8 MiB more

export const unacceptableBody = (message: string, statusCode = 400) => Object.assign(new Error(message), { statusCode })

type ReadOptions = {
  maxBytes: number
  /** Called with all that has arrived whenever more has. What it returns ends the reading. */
  inspect?: (bytes: Buffer) => Error | undefined
}

/** Reads a body into one buffer that doubles as it grows. Rejects with 413 beyond `maxBytes`, or when it breaks off. */
export function readBody(message: IncomingMessage, { maxBytes, inspect }: ReadOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let buffer = Buffer.allocUnsafe(firstBytes)
  let length = 0

  const take = (piece: Buffer) => {
    if (length + piece.length > maxBytes) return fail(tooLarge())
    if (length + piece.length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(2 * buffer.length, length + piece.length)))
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    piece.copy(buffer, length)
    length += piece.length
    const error = inspect?.(buffer.subarray(0, length))
    if (error) fail(error)
  }
  const end = () => resolve(buffer.subarray(0, length))
  const fail = (error: Error) => {
    message.off('data', take).off('end', end).pause()
    reject(error)
  }
  const breakOff = () => fail(unacceptableBody('a body breaks off'))

  if (Number(message.headers['content-length']) > maxBytes) return Promise.reject(tooLarge())
  // A client that left before this would never be heard of again.
  if (message.destroyed) return Promise.reject(unacceptableBody('a body breaks off'))
  message.on('data', take).once('end', end).once('error', breakOff).once('close', breakOff)
  return promise
}

const tooLarge = () => unacceptableBody('a body is too large', 413)

/**
 * Reads and drops what still comes of a body that nobody wants, so that the client reads its answer before the
 * connection closes: for two seconds at most, and up to 8 MiB beyond any limit.
 */
export function dropRest(reply: FastifyReply) {
  const { raw: response } = reply
  const { raw: message } = reply.request
  const { socket } = message
  const isLast = !response.shouldKeepAlive || reply.getHeader('connection') === 'close'
  // Otherwise Node would close the connection together with the answer, and the kernel would reset it.
  reply.removeHeader('connection')
  response.shouldKeepAlive = true
  if (isLast) closeAfter(message, response)

  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  let dropped = 0
  message
    .on('data', (piece: Buffer) => {
      dropped += piece.length
      if (dropped > maxDroppedBytes) socket.destroy()
    })
    .once('end', () => clearTimeout(timer))
    .once('close', () => clearTimeout(timer))
    .on('error', () => {}) // a body that breaks off is dropped, too
    .resume()
}

function closeAfter(message: IncomingMessage, response: ServerResponse) {
  const ends = Promise.all([once(message, 'end'), once(response, 'finish')])
  ends.then(
    () => message.socket.end(),
    () => {}, // the connection broke off before
  )
}
