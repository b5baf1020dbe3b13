import type { IncomingMessage } from 'node:http'
import { tooManyPieces } from './message.ts'

const firstBytes = 4_096
const maxPauseMs = 500
const maxDropMs = 2_000
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
 * Reads and drops what still comes of a body that nobody wants. Resolves with whether it came to its end: it may pause
 * for half a second, take two, and have 8 MiB beyond any limit.
 */
export function dropRest(message: IncomingMessage) {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const giveUp = () => resolve(false)
  const timer = setTimeout(giveUp, maxPauseMs)
  const deadline = performance.now() + maxDropMs
  let dropped = 0
  const drop = (piece: Buffer) => {
    timer.refresh()
    dropped += piece.length
    if (dropped > maxDroppedBytes || performance.now() > deadline) giveUp()
  }

  if (message.destroyed) giveUp()
  for (const event of [tooManyPieces, 'error', 'close']) message.on(event, giveUp)
  message
    .on('data', drop)
    .once('end', () => resolve(true))
    .resume()
  return promise.finally(() => {
    clearTimeout(timer)
    message.off('data', drop).pause()
  })
}
