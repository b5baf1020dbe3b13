import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Adds Server-Timing to GET and HEAD responses. Writes get none, since it would reveal how long a password check took.
 */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') {
        reply.header('server-timing', timingOf(request, reply))
      }
      done()
    })
  },
  { name: 'server-timing' },
)

export function timingOf({ queries: { count, ms } = none }: FastifyRequest, reply: FastifyReply) {
  const app = reply.elapsedTime.toFixed(2)
  return `app;dur=${app}, db;desc="${count} queries";dur=${ms.toFixed(2)}`
}

// Requests that are rejected by the first hooks have made no queries.
const none = { count: 0, ms: 0 }
