import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const ofThisProcess = randomBytes(9).toString('base64url')
let count = 0

/**
 * Identifies a request in the logs: the proxy's id if it is well-formed, otherwise a new one that is unique across
 * processes.
 */
export function requestId({ headers: { 'x-request-id': given } }: Pick<IncomingMessage, 'headers'>) {
  if (typeof given === 'string' && /^[\w-]{1,64}$/.test(given)) return given
  return newRequestId()
}

export function newRequestId() {
  count++
  return ofThisProcess + count.toString(36)
}
