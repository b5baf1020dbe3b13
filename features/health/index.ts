import type { FastifyInstance } from 'fastify'
import { prefersJson } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'
import { healthPage } from './page.ts'

/**
 * Tells whether this process serves. It asks no database: an outage there must not have every container restarted, which would mend nothing and end what
 * still works.
 */
export async function health(app: FastifyInstance) {
  app.get(paths.health().url, { config: { unlogged: true } }, (request, reply) => {
    reply.headers({ vary: 'Accept', 'cache-control': 'max-age=0, private, must-revalidate' })
    if (prefersJson(request.headers.accept)) return reply.send({ status: 'up', timestamp: new Date().toISOString() })
    return reply.type('text/html; charset=utf-8').send(healthPage(reply.nonce))
  })
}
