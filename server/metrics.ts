import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { ending, onShutdown } from './shutdown.ts'

const timeoutMs = 3_000 // less than Prometheus waits, more than a worker waits for the database (plugins/metrics.ts)

/** Serves GET /metrics on a separate port, which must not be public. */
export async function serveMetrics(
  { metricsPort, bind }: Pick<Config, 'metricsPort' | 'bind'>,
  read: () => Promise<string>,
) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const text = await read()
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } catch (err) {
      logUnreadable(err)
      response.writeHead(500).end()
    }
  })
  await once(server.listen(metricsPort, bind), 'listening').catch((error) => {
    throw Object.assign(error, { variable: 'METRICS_PORT' })
  })
  const { address, port } = server.address() as AddressInfo
  ending.log?.info({ address, port }, 'metrics are served') // METRICS_PORT=0 means any port
  onShutdown(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
}

/** In a worker: sends its metrics to the primary on request. */
export function answerWithMetrics(registry: Registry) {
  process.on('message', async (question) => {
    if (question !== 'metrics') return
    const metrics = await registry.getMetricsAsJSON().catch(logUnreadable)
    if (metrics) process.send?.(metrics, () => {}) // the primary may have ended
  })
}

const logUnreadable = (err: unknown) => ending.log?.error({ err }, 'the metrics could not be read')

type Counts = { expected: number; restarted: number }

/** The metrics of all workers in one. One that does not answer is left out, because then the others are needed most. */
export async function metricsOfWorkers(workers: Worker[], { expected, restarted }: Counts) {
  const { AggregatorRegistry, Counter, Gauge, Registry } = await import('prom-client')
  const answers = await Promise.all(workers.map(ask))
  const answered = answers.filter((answer) => answer !== undefined)
  const primary = new Registry()
  const registers = [primary]
  const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers }).set(value)
  gauge('process_start_time_seconds', 'When the primary started', Math.round(Date.now() / 1000 - process.uptime()))
  gauge('metrics_workers_expected', 'Workers that should answer', expected)
  gauge('metrics_workers_answered', 'Workers that answered', answered.length)
  new Counter({ name: 'workers_restarted_total', help: 'Processes that were replaced', registers }).inc(restarted)
  return `${await AggregatorRegistry.aggregate(answered).metrics()}\n${await primary.metrics()}`
}

async function ask(worker: Worker) {
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
  worker.send('metrics', () => {}) // it may be about to end
  return answer.then(
    ([metrics]: object[][]) => metrics,
    () => undefined,
  )
}
