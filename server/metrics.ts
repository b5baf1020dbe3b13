import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'

type Options = { port: number; host: string; read: () => Promise<string> }

/** Serves GET /metrics on a separate port, which must not be public. Returns a function that stops it. */
export async function serveMetrics({ port, host, read }: Options) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await read()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  })
  await once(server.listen(port, host), 'listening').catch((error) => {
    throw Object.assign(error, { variable: 'METRICS_PORT' })
  })
  return async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
}

/** In a worker: sends its metrics to the supervisor on request. */
export function reportMetrics(registry: Registry) {
  process.on('message', async () => process.send?.(await registry.getMetricsAsJSON()))
}

/** As `getMetricsAsJSON()` makes them. */
type Metrics = { type: unknown }[]
type Known = { pending?: Promise<Metrics | undefined> | undefined; last?: Metrics }

const timeoutMs = 2_000 // of the ten seconds that Prometheus waits by default

/**
 * The metrics of all workers in one, with those of the supervisor. A worker that does not answer is left out, because
 * that is when the numbers of the others are needed most.
 */
export function createAggregator(workers: number) {
  const own = new Registry()
  const registers = [own]
  const startedAt = { name: 'process_start_time_seconds', help: 'When the supervisor started', registers }
  new Gauge(startedAt).set(Math.round(Date.now() / 1000 - process.uptime()))
  new Gauge({ name: 'metrics_workers_expected', help: 'Workers that should answer', registers }).set(workers)
  const answered = new Gauge({ name: 'metrics_workers_answered', help: 'Workers that answered', registers })
  const restarts = new Counter({ name: 'workers_restarted_total', help: 'Processes that were replaced', registers })

  const listening = new Map<Worker, Known>()
  let ofExited: Metrics = []
  cluster.on('listening', (worker) => listening.set(worker, {}))
  cluster.on('exit', (worker) => {
    ofExited = aggregate([ofExited, countersOf(listening.get(worker)?.last)]).getMetricsAsArray()
    listening.delete(worker)
  })

  // A worker that hangs is not asked again, or it would find thousands of questions afterwards.
  async function request(worker: Worker, known: Known) {
    worker.send('metrics', () => {}) // it may be about to end
    const [metrics]: Metrics[] = await once(worker, 'message')
    known.pending = undefined
    if (metrics) known.last = metrics
    return metrics
  }

  async function read() {
    const timeout = sleep(timeoutMs, undefined, { ref: false })
    const all = [...listening]
    const answers = await Promise.all(
      all.map(([worker, known]) => {
        known.pending ??= request(worker, known).catch(() => undefined)
        return Promise.race([known.pending, timeout])
      }),
    )
    answered.set(answers.filter(Boolean).length)
    // Counters must not fall: Prometheus would take that for a restart, and count all that is left once more.
    const counted = all.map(([, { last }], n) => answers[n] ?? countersOf(last))
    return `${await aggregate([...counted, ofExited]).metrics()}\n${await own.metrics()}`
  }
  return { own, restarts, read }
}

const aggregate = (metrics: Metrics[]) => AggregatorRegistry.aggregate(metrics)
const countersOf = (metrics: Metrics = []) =>
  metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
