import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const ofThisProcess = randomBytes(9).toString('base64url')
let count = 0

/** The name of a request in every line of the log: that of the proxy, if it is one, else a new one that no other process gives. */
export function requestId({ headers: { 'x-request-id': given } }: Pick<IncomingMessage, 'headers'>) {
  if (typeof given === 'string' && /^[\w-]{1,64}$/.test(given)) return given
  return newRequestId()
}

export function newRequestId() {
  count++
  return ofThisProcess + count.toString(36)
}
