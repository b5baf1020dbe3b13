import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { closeSlowly } from './close-slowly.ts'

/** Answers input that never became a request. A timeout is a 503, because many browsers silently retry after a 408. */
export async function answerUnreadable(this: FastifyInstance, error: ConnectionError, socket: Socket) {
  closeSlowly(socket) // what arrives meanwhile would be an error again, with an answer of its own
  this.log.debug({ err: error }, 'what a client sent could not be read')
  const status = unreadable[error.code] ?? 400
  // Those of every response. An application that has closed gives none.
  const headers = await this.inject('/up').then(
    (response) => response.headers,
    () => undefined,
  )
  if (!headers) return socket.destroy()
  // Bytes written in the middle of a response would become part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) return socket.destroySoon()
  const language = this.languageOf(undefined)
  const page = this.errorPage(status, language)
  const pageHeaders = {
    'content-language': language.tag,
    'content-length': Buffer.byteLength(page),
    connection: 'close',
  }
  const common = { ...headers, vary: 'X-Inertia', 'cache-control': 'no-cache' }
  const lines = Object.entries({ ...common, ...pageHeaders, ...(status === 503 && { 'retry-after': 5 }) })
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${page}`)
  socket.destroySoon()
}

const unreadable: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 503, HPE_HEADER_OVERFLOW: 431 }

// Node keeps the current response in this field.
const hasBegunToAnswer = (socket: Socket & { _httpMessage?: { headersSent: boolean } | null }) =>
  socket._httpMessage?.headersSent === true
