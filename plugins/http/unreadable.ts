import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Takes over what Node would answer by itself, without our pages and headers: an HTTP/1.1 request that names no host or
 * two (RFC 9112, 3.2), and an expectation that nobody knows, which may be ignored (RFC 9110, 10.1.1).
 */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      const { httpVersion, rawHeaders } = request.raw
      const hosts = countHosts(rawHeaders)
      hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? void reply.sendError(400) : done()
    })
    app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  },
  { name: 'unreadable', dependencies: ['errors'] },
)

/** Of several, Node shows only the first. */
function countHosts(rawHeaders: string[]) {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/**
 * Answers input that never became a request: too slow, too long or not HTTP. A request timeout is answered with 503,
 * because many browsers silently retry after a 408.
 */
export function answerUnreadable(this: FastifyInstance, error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  this.log.debug({ err: error }, 'what a client sent could not be read')
  if (socket.writable && !hasBegunToAnswer(socket)) socket.write(answer(this, error))
  socket.destroySoon()
}

function answer(app: FastifyInstance, { code, rawPacket }: ConnectionError) {
  const status = statuses[code] ?? 400
  const beginning = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 5) : ''
  const method = /^(?:GET|HEAD)(?= )/.exec(beginning)?.[0]
  const page = app.errorPage(status, app.languageOf(undefined))
  const headers = {
    ...app.securityHeaders(),
    date: new Date().toUTCString(),
    connection: 'close',
    'cache-control': 'no-cache',
    vary: 'X-Inertia',
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    ...(status === 503 && { 'retry-after': 5 }),
    ...(method && { 'server-timing': 'app;dur=0.00, db;desc="0 queries";dur=0.00' }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')
  return `${head}\r\n\r\n${method === 'HEAD' ? '' : page}`
}

const statuses: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 503, HPE_HEADER_OVERFLOW: 431 }

// Bytes written in the middle of a response would become part of it. Node keeps the current response in this field.
function hasBegunToAnswer(socket: Socket & { _httpMessage?: { headersSent: boolean } | null }) {
  return socket._httpMessage?.headersSent === true
}
