import { type ChildProcess, fork as forkScript } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { Config } from './config.ts'
import { createLog, versions } from './log.ts'
import { exitAfter } from './shutdown.ts'

// Runs several worker processes and replaces those that die. It loads as little as possible, because it stays in
// memory.

/** What the supervisor needs of the configuration, and the variables that all workers share. */
export type Prepared = Pick<Config, 'processes' | 'drainSeconds' | 'logLevel' | 'bind' | 'metricsPort'> & {
  environment: Record<string, string>
}

const shutdownTimeoutMs = 9_500 // a little more than the workers' own limit

let log = createLog('info')
let drainSeconds = 0
let stopping = false
let served = false
let countRestart = () => {}

const preparing = forkScript(fileURLToPath(new URL('prepare-cluster.ts', import.meta.url)), process.argv.slice(2))

closeWithGrace({ delay: false, logger: false }, async ({ err, signal }) => {
  stopping = true
  if (err)
    log(
      'fatal',
      { err: { message: err.message, stack: err.stack } },
      'the supervisor is exiting after an uncaught error',
    )
  else log('info', { signal }, 'stopping')
  exitAfter(drainSeconds * 1000 + shutdownTimeoutMs)
  const workers = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)
  await Promise.all(workers.map(({ process }) => end(process)))
  await end(preparing)
  log('info', {}, 'stopped')
})

const failed = (code: number | null) => stopping || process.exit(code ?? 1) // the child has printed the reason
preparing.once('exit', failed)
preparing.once('message', (prepared) => {
  preparing.off('exit', failed)
  // In production it ends here by itself. Elsewhere it holds the database, which ends with it.
  preparing.once('exit', (code) => stopping || code === 0 || process.kill(process.pid, 'SIGTERM'))
  watch(prepared as Prepared)
})

async function watch(given: Prepared) {
  log = createLog(given.logLevel)
  drainSeconds = given.drainSeconds
  cluster.on('listening', () => {
    served = true
  })
  await serveAggregated(given)
  if (stopping) return
  for (let count = 0; count < given.processes; count++) start(given.environment)
  log('info', { ...versions(), processes: given.processes }, 'started')
}

async function serveAggregated({ metricsPort: port, bind: host, processes }: Prepared) {
  if (port === undefined) return
  const { createAggregator, serveMetrics } = await import('./metrics.ts')
  const { read, restarts } = createAggregator(processes)
  countRestart = () => restarts.inc()
  await serveMetrics({ port, host, read }).catch(async (error) => {
    const { describeError } = await import('./describe-error.ts')
    console.error(describeError(error))
    await end(preparing)
    process.exit(1)
  })
}

function start(environment: Record<string, string>) {
  const bornAt = Date.now()
  const worker = cluster.fork(environment)
  worker.once('exit', (code, signal) => {
    if (stopping) return
    if (!served) process.exit(code || 1) // the worker has printed the reason, and a new one would fail the same way
    log('error', { process: worker.process.pid, code, signal }, 'a process died and is replaced')
    countRestart()
    // A worker that dies at once would do so again, so wait a second.
    setTimeout(() => stopping || start(environment), Date.now() - bornAt < 1_000 ? 1_000 : 0)
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
