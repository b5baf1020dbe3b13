import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import Fastify from 'fastify'
import { loggerOptions } from '../plugins/http/logging.ts'
import type { Config } from './config.ts'
import { metricsOfWorkers, serveMetrics } from './metrics.ts'
import { ending, isClosing, onShutdown, shutDown, stopSignals } from './shutdown.ts'

const pauseMs = 1_000 // before a process that died is replaced: one that dies at once would do so again

/** Runs several processes that serve, and replaces those that die. They share `variables`. */
export async function supervise(config: Config, variables: Record<string, string>) {
  const { processes, drainSeconds, logLevel, environment } = config
  const { log } = Fastify({ logger: loggerOptions({ level: logLevel, pretty: environment === 'development' }) })
  const pending = () => ({ processes: workers().map(({ process: { pid } }) => pid) })
  Object.assign(ending, { log, drainSeconds, pending })
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
    startLater()
  })

  const startLater = () => setTimeout(() => isStopping || start(), pauseMs)

  function start() {
    const worker = cluster.fork(variables)
    // Without file descriptors or memory there is no process, and no exit of it.
    worker.on('error', (err) => {
      if (worker.process.pid !== undefined) return
      log.error({ err }, 'a process could not be started')
      delete cluster.workers?.[worker.id]
      startLater()
    })
  }

  const read = () => metricsOfWorkers(workers(), { expected: processes, restarted })
  if (config.metricsPort !== undefined) await serveMetrics(config, read)
  for (let count = 0; count < processes; count++) start()
  log.info({ processes }, 'started')
}

const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const stopMessage = 'stop'

/** In a worker: a terminal or systemd may signal every process, but the primary decides when its workers stop. */
export function followPrimary(close: () => unknown) {
  for (const signal of stopSignals) process.on(signal, () => {})
  process.on('message', (message) => {
    if (message === stopMessage && !isClosing()) close()
  })
}

async function stop(worker: Worker) {
  if (worker.isDead()) return
  const exit = once(worker, 'exit')
  worker.send(stopMessage, () => {}) // it may be about to end
  await exit
}
