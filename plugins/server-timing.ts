import fp from 'fastify-plugin'
import { observingQueries, type Queries } from './database.ts'

declare module 'fastify' {
  interface FastifyRequest {
    queries: Queries
  }
}

/** Server-Timing on every GET and HEAD, never on writes: it would tell how long a password took to check. */
export default fp(
  async (app) => {
    app.decorateRequest('queries')
    app.addHook('onRequest', (request, _reply, done) => {
      request.queries = { count: 0, ms: 0 }
      observingQueries(request.queries, done)
    })
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') {
        const { count, ms } = request.queries
        const app = reply.elapsedTime.toFixed(2)
        reply.header('server-timing', `app;dur=${app}, db;desc="${count} queries";dur=${ms.toFixed(2)}`)
      }
      done()
    })
  },
  { name: 'server-timing' },
)
