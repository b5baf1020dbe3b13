import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { routePattern } from './http/logging.ts'
import { type Events, subscribe } from './instrumentation.ts'
import { securityOutcomes } from './security/log.ts'

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

/** What is counted from zero on: Prometheus sees no increase in the first value of a series. */
const outcomes = (): Partial<Record<keyof Events, Record<string, string>[]>> => ({
  job: ['done', 'failed', 'given_up'].map((outcome) => ({ outcome })),
  mail: ['delivered', 'dropped', 'failed', 'given_up', 'skipped'].map((outcome) => ({ outcome })),
  security: Object.entries(securityOutcomes).flatMap(([event, each]) => each.map((outcome) => ({ event, outcome }))),
})

const readTimeoutMs = 1_000 // less than a primary waits for its workers (server/metrics.ts)

/**
 * Of several gauges that are read together. Without an answer in time they are to be missing: a zero would say that all
 * is well.
 */
export function collectOnce<Found>(read: () => Promise<Found>, set: (found: Found | undefined) => void) {
  let reading: Promise<void> | undefined
  async function collect() {
    const late = sleep(readTimeoutMs, undefined, { ref: false })
    set(await Promise.race([read().catch(() => undefined), late]))
  }
  return () => {
    reading ??= collect().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** Prometheus metrics by name. docs/monitoring has alerts and a dashboard. */
async function createSeries({ db, live, jobs }: Pick<FastifyInstance, 'db' | 'live' | 'jobs'>) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Of several processes the worst counts.
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' })

  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  const requests = counter('http_requests_total', 'Requests that were answered', 'method', 'route', 'status')
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer had been sent, of all but streams',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })

  gauge('live_streams_open', 'Open streams', () => live.streams())
  gauge('database_connections_used', 'Database connections in use', () => db.stats().used)
  gauge(
    'database_connections_waiting',
    'Queries and transactions beyond the size of the pool',
    () => db.stats().waiting,
  )
  backlog()

  const count = (event: keyof Events, name: string, help: string, ...labelNames: string[]) => {
    const counted = counter(name, help, ...labelNames)
    for (const labels of outcomes()[event] ?? []) counted.inc(labels, 0)
    return subscribe(event, (labels) => counted.inc(labels))
  }
  const unsubscribe = [
    count('refusal', 'http_requests_refused_total', 'Requests rejected because of overload', 'reason'),
    count('limit', 'limits_hit_total', 'Requests over a limit', 'limit'),
    count('security', 'security_events_total', 'Security events', 'event', 'outcome'),
    count('broadcast', 'live_broadcasts_total', 'Live broadcasts'),
    count('job', 'jobs_total', 'Job attempts by outcome', 'outcome'),
    count('mail', 'mails_total', 'Mail attempts by outcome', 'outcome'),
    count('dropped_line', 'log_lines_dropped_total', 'Log lines that could not be written'),
    count('ssr_fallback', 'ssr_fallbacks_total', 'Pages that were left to the browser'),
  ]
  return { registry, requests, durations, close }

  function close() {
    for (const stop of unsubscribe) stop()
  }

  /** All processes see the same queue. */
  function backlog() {
    const collect = collectOnce(jobs.backlog, (counts) => {
      depth.reset()
      oldest.reset()
      if (!counts) return
      depth.set({ state: 'waiting' }, counts.waiting)
      depth.set({ state: 'dead' }, counts.dead)
      oldest.set({}, counts.oldestSeconds)
    })
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['state'], aggregator: 'max', registers, collect })
    const depth = gauge('job_queue_depth', 'Jobs and mails that wait, and those that were given up')
    const oldest = gauge('job_queue_oldest_seconds', 'For how long the oldest job has been due')
  }
}
