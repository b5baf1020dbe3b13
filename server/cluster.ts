import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Fastify from 'fastify'
import type { Registry } from 'prom-client'
import { loggerOptions } from '../plugins/http/logging.ts'
import type { Config } from './config.ts'
import { ending, onShutdown, shutDown } from './shutdown.ts'

const pauseMs = 1_000 // before a process that died is replaced: one that dies at once would do so again

/** Runs several processes that serve, and replaces those that die. `made` are variables that all of them share. */
export async function supervise(config: Config, made: Record<string, string>) {
  const { processes, drainSeconds, logLevel, environment } = config
  const { log } = Fastify({ logger: loggerOptions({ level: logLevel, pretty: environment === 'development' }) })
  Object.assign(ending, { log, drainSeconds })
  let restarted = 0
  let isServing = false
  let isStopping = false

  onShutdown(async () => {
    isStopping = true
    await Promise.all(workers().map(stop))
  })
  cluster.on('listening', () => {
    isServing = true
  })
  cluster.on('exit', async ({ process: { pid } }, code, signal) => {
    if (isStopping) return
    if (!isServing) {
      isStopping = true // it has printed the reason, and another one would fail the same way
      await shutDown()
      process.exit(code || 1)
    }
    restarted++
    log.error({ process: pid, code, signal }, 'a process died and is replaced')
    setTimeout(() => isStopping || cluster.fork(made), pauseMs)
  })

  const read = () => metricsOfWorkers(workers(), { expected: processes, restarted })
  if (config.metricsPort !== undefined) await serveMetrics(config, read)
  for (let count = 0; count < processes; count++) cluster.fork(made)
  log.info({ processes }, 'started')
}

const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

async function stop(worker: Worker) {
  if (worker.isDead()) return
  const exit = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await exit
}

const timeoutMs = 1_000 // of the ten seconds that Prometheus waits by default

/** Serves GET /metrics on a separate port, which must not be public. */
export async function serveMetrics({ metricsPort, bind }: Config, read: () => Promise<string>) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await read()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  })
  await once(server.listen(metricsPort, bind), 'listening').catch((error) => {
    throw Object.assign(error, { variable: 'METRICS_PORT' })
  })
  onShutdown(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
}

/** In a worker: sends its metrics to the primary on request. */
export function answerWithMetrics(registry: Registry) {
  process.on('message', async (question) => {
    if (question === 'metrics') process.send?.(await registry.getMetricsAsJSON())
  })
}

type Counts = { expected: number; restarted: number }

/** The metrics of all workers in one. One that does not answer is left out, because then the others are needed most. */
export async function metricsOfWorkers(workers: Worker[], { expected, restarted }: Counts) {
  const { AggregatorRegistry, Counter, Gauge, Registry } = await import('prom-client')
  const answers = await Promise.all(workers.map(ask))
  const answered = answers.filter((answer) => answer !== undefined)
  const own = new Registry()
  const registers = [own]
  const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers }).set(value)
  gauge('process_start_time_seconds', 'When the primary started', Math.round(Date.now() / 1000 - process.uptime()))
  gauge('metrics_workers_expected', 'Workers that should answer', expected)
  gauge('metrics_workers_answered', 'Workers that answered', answered.length)
  new Counter({ name: 'workers_restarted_total', help: 'Processes that were replaced', registers }).inc(restarted)
  return `${await AggregatorRegistry.aggregate(answered).metrics()}\n${await own.metrics()}`
}

async function ask(worker: Worker) {
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
  worker.send('metrics', () => {}) // it may be about to end
  return answer.then(
    ([metrics]: object[][]) => metrics,
    () => undefined,
  )
}
