import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { routePattern } from '../http/logging.ts'
import { createSeries } from './series.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry | undefined
  }
}

/** Collects metrics. Labels never contain ids, slugs or addresses: routes are labelled by their pattern. */
export default fp<{ enabled: boolean }>(
  async (app, { enabled }) => {
    app.decorate('metrics', undefined)
    if (!enabled) return
    const { registry, requests, durations, close } = await createSeries(app)
    app.metrics = registry
    app.addHook('onClose', async () => close())

    app.addHook('onResponse', (request, reply, done) => {
      const labels = { method: methodOf(request), route: routeOf(request) }
      requests.inc({ ...labels, status: reply.statusCode })
      if (!request.routeOptions.config.streaming) durations.observe(labels, reply.elapsedTime / 1000)
      done()
    })
  },
  { name: 'metrics', dependencies: ['database', 'live', 'jobs'] },
)

// Clients can send any method, which would create unlimited series.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = ({ method }: FastifyRequest) => (methods.has(method) ? method : 'other')

/** All assets count as one route. */
function routeOf(request: FastifyRequest) {
  const pattern = routePattern(request) ?? 'unknown'
  return pattern.startsWith('/assets/') ? '/assets/*' : pattern
}
