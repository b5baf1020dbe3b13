import { type ChildProcess, fork as forkScript } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { createLog } from './log.ts'
import { releaseMemory } from './release-memory.ts'
import { exitWithin } from './stops.ts'
import { versions } from './version.ts'

// Runs several worker processes and replaces those that die. It loads as little as possible, because it stays in
// memory.

/** What the supervisor needs of the configuration, and the variables that all workers share. */
export type Prepared = {
  processes: number
  drainSeconds: number
  logLevel: string
  bind: string
  metricsPort?: number | undefined
  environment: Record<string, string>
}

const farewell = 9.5 // seconds: a little more than the workers' own limit

let log = createLog('info')
let drainSeconds = 0
let stopping = false
let served = false

const preparing = forkScript(fileURLToPath(new URL('once.ts', import.meta.url)), process.argv.slice(2))

closeWithGrace({ delay: false, logger: false }, async ({ err, signal }) => {
  stopping = true
  if (err) log('fatal', { err: { message: err.message, stack: err.stack } }, 'the supervisor ends over an error')
  else log('info', { signal }, 'stopping')
  exitWithin(drainSeconds + farewell)
  const workers = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)
  await Promise.all(workers.map(({ process }) => end(process)))
  await end(preparing)
  log('info', {}, 'stopped')
})

const failed = (code: number | null) => stopping || process.exit(code ?? 1) // the child has printed the reason
preparing.once('exit', failed)
preparing.once('message', (prepared) => {
  preparing.off('exit', failed)
  watch(prepared as Prepared)
})

function watch(given: Prepared) {
  log = createLog(given.logLevel)
  drainSeconds = given.drainSeconds
  cluster.on('listening', () => {
    served = true
  })
  for (let count = 0; count < given.processes; count++) start(given.environment)
  log('info', { ...versions(), processes: given.processes }, 'started')
  if (given.metricsPort === undefined) releaseMemory()
  else serveSums(given.metricsPort, given.bind)
}

async function serveSums(port: number, host: string) {
  const { serveMetrics, sums } = await import('./metrics.ts')
  await serveMetrics({ port, host, read: await sums() })
  releaseMemory()
}

function start(environment: Record<string, string>) {
  const bornAt = Date.now()
  const worker = cluster.fork(environment)
  worker.once('exit', (code, signal) => {
    if (stopping) return
    if (!served) process.exit(code || 1) // the worker has printed the reason, and a new one would fail the same way
    log('error', { process: worker.process.pid, code, signal }, 'a process died and is replaced')
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
