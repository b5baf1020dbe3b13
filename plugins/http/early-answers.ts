import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { dropRest } from './read-body.ts'

/** Answers what needs no body before that is read, and drops what still comes of a body once a request is answered. */
export default fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const status = earlyStatus(request)
      if (status) return reply.sendError(status)
    })
    app.addHook('onSend', async ({ raw }, reply) => {
      if (raw.complete === false) dropRest(reply)
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
