import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { stackOf } from '../plugins/http/present-error.ts'
import { type Config, loadConfig } from './config.ts'
import { failStart } from './describe-error.ts'
import { boundConnections, listen } from './listen.ts'
import { versions } from './log.ts'
import { prepare } from './prepare.ts'
import { releaseMemory } from './release-memory.ts'
import { exitAfter, onShutdown, shutDown, shutdownTimeoutMs } from './shutdown.ts'

// A process that serves requests: the only one, or a worker of server/supervise.ts.

const hot = process.argv.includes('--hot')
const ownConnections = 8 // to the database and the mail server, besides those for requests

const development = hot ? await import('../development/dev/hot.ts') : undefined // of `npm run dev`

let app: FastifyInstance | undefined
let drainSeconds = 0

// Ctrl-C reaches every process of the terminal, but the supervisor decides when workers stop.
if (cluster.isWorker) process.on('SIGINT', () => {})
const skip: 'SIGINT'[] = cluster.isWorker ? ['SIGINT'] : []

closeWithGrace({ delay: false, logger: false, skip }, async ({ err, signal }) => {
  if (err && app) app.log.fatal({ err }, 'the process is exiting after an uncaught error')
  else if (err) console.error(stackOf(err))
  else app?.log.info({ signal }, 'stopping')
  const drainMs = signal && app ? drainSeconds * 1000 : 0
  exitAfter(drainMs + shutdownTimeoutMs)
  if (app) app.lifecycle.closing = true
  await sleep(drainMs)
  await shutDown()
  app?.log.info('stopped')
})

development?.followParent()

try {
  const given = loadConfig(process.env)
  const { config } = cluster.isPrimary ? await prepare(given, process.env) : { config: given }
  drainSeconds = config.drainSeconds
  await serve(config)
  if (cluster.isPrimary && !config.production && !hot) (await import('../development/greet.ts')).greet(config, given)
} catch (error) {
  await failStart(error)
}

async function serve(given: Config) {
  const loaded = given.environment === 'development' ? await import('../development/stand-ins.ts') : undefined
  const standIns = await loaded?.startStandIns(given)
  const config = standIns?.config ?? given
  const built = await buildApp(config, development ? { frontend: development.hotFrontend } : {})
  onShutdown(() => built.close())
  app = built // from here on, a shutdown lets requests finish
  await standIns?.register(built)
  await showMetrics(built, config)
  await built.jobs.work()
  const address = await listen(built, { port: config.port, host: config.bind })
  development?.reportListening(address)
  boundConnections(built, config.database.pool + ownConnections)
  if (!hot) releaseMemory()
  built.log.info({ ...versions(), port: config.port }, 'started')
}

/** Metrics of this process. With several processes, the supervisor asks those that listen, and sums them up. */
async function showMetrics({ metrics: registry }: FastifyInstance, { metricsPort, bind }: Config) {
  if (!registry || metricsPort === undefined) return
  const { reportMetrics, serveMetrics } = await import('./metrics.ts')
  if (cluster.isWorker) return reportMetrics(registry)
  onShutdown(await serveMetrics({ port: metricsPort, host: bind, read: () => registry.metrics() }))
}
