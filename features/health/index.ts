import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { prefersJson } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'
import { healthPage } from './page.ts'

const patience = 1_500 // milliseconds: callers are promised an answer within two seconds

/**
 * `/up` tells whether this process is alive. It does not query the database: an outage there must not restart every
 * container, which would fix nothing and interrupt what still works. `/up/ready` tells whether to send traffic here,
 * and does query it.
 */
export async function health(app: FastifyInstance) {
  const config = { unlogged: true } as const

  app.get(paths.health().url, { config }, (request, reply) => {
    reply.headers({ vary: 'Accept', 'cache-control': 'max-age=0, private, must-revalidate' })
    if (prefersJson(request.headers.accept)) return reply.send({ status: 'up', timestamp: new Date().toISOString() })
    return reply.type('text/html; charset=utf-8').send(healthPage(reply.nonce))
  })

  app.get(paths.readiness().url, { config }, async (_request, reply) => {
    const reason = app.lifecycle.closing ? 'closing' : await ailmentOfDatabase()
    reply.header('cache-control', 'no-store')
    return reason ? reply.code(503).send({ status: 'unready', reason }) : reply.send({ status: 'ready' })
  })

  // Concurrent probes share one query, so they do not pile up while the database hangs.
  let asking: Promise<boolean> | undefined
  async function ailmentOfDatabase() {
    asking ??= isThere().finally(() => {
      asking = undefined
    })
    const answered = await Promise.race([asking, sleep(patience, false)])
    if (app.lifecycle.closing) return 'closing'
    return answered ? undefined : 'database'
  }

  const isThere = () =>
    app.db.execute(sql`select 1`).then(
      () => true,
      () => false,
    )
}
