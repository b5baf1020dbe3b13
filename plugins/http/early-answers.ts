import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { closeSlowly } from './close-slowly.ts'
import { dropRest } from './read-body.ts'

/**
 * Answers what needs no body before that is read. Each answer waits until what still comes of a body was dropped, and
 * says `Connection: close` if its connection then ends, and only then: otherwise a proxy sends the next request, of
 * anybody, on a connection that is about to close, and takes an instance that doesn't answer it for broken.
 */
export default fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const status = earlyStatus(request)
      if (status) return reply.sendError(status)
    })
    app.addHook('onSend', async ({ raw }, reply) => {
      const isWhole = raw.complete !== false || (await dropRest(raw))
      if (!isWhole) closeSlowly(raw.socket)
      if (!isWhole || app.lifecycle.closing) reply.header('connection', 'close')
      // Fastify says that it closes the connection after any body that can't be used. Without the header, Node would
      // not say either that an answer is the last one.
      else if (reply.hasHeader('connection')) reply.header('connection', isLast(reply.raw) ? 'close' : 'keep-alive')
    })
  },
  { name: 'early-answers', dependencies: ['errors'] },
)

function earlyStatus({ is404, raw, headers }: FastifyRequest) {
  // Node would answer these two without the headers of every response (server/fastify.ts).
  if (headers.host === undefined && raw.httpVersion === '1.1') return 400 // RFC 9112, 3.2
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) return 417
  return is404 ? 404 : undefined
}

// Node keeps in the second one that as many requests have come on a connection as may.
const isLast = (response: ServerResponse & { maxRequestsOnConnectionReached?: boolean }) =>
  !response.shouldKeepAlive || response.maxRequestsOnConnectionReached === true
