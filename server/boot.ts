import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Config, loadConfig } from './config.ts'
import { explain } from './explain.ts'
import { listen } from './listen.ts'
import { greet, isCaught, prepare } from './prepare.ts'
import { releaseMemory } from './release-memory.ts'
import { exitWithin, stopAll, stopLater } from './stops.ts'
import { versions } from './version.ts'

// A process that serves requests: the only one, or a worker of server/supervise.ts.

const hot = process.argv.includes('--hot')
const farewell = 9 // seconds, of the ten after which containers are killed

let app: FastifyInstance | undefined
let drainSeconds = 0

// Ctrl-C reaches every process of the terminal, but the supervisor decides when workers stop.
if (cluster.isWorker) process.on('SIGINT', () => {})
const skip = cluster.isWorker ? (['SIGINT'] as const) : []

closeWithGrace({ delay: false, logger: false, skip: [...skip] }, async ({ err, signal }) => {
  if (err && app) app.log.fatal({ err }, 'the process ends over an error')
  else if (err) console.error(err)
  else app?.log.info({ signal }, 'stopping')
  const drain = signal && app ? drainSeconds : 0
  exitWithin(drain + farewell)
  if (app) app.lifecycle.closing = true
  await sleep(drain * 1000)
  await stopAll()
  app?.log.info('stopped')
})

try {
  const given = loadConfig(process.env)
  const { config } = cluster.isPrimary ? await prepare(given, process.env) : { config: given }
  drainSeconds = config.drainSeconds
  await serve(config)
  if (cluster.isPrimary && !config.production) greet(config, given)
} catch (error) {
  console.error(explain(error))
  exitWithin(farewell)
  await stopAll()
  process.exit(1)
}

async function serve(given: Config) {
  const inbox = isCaught(given) ? await catchMail() : undefined
  const config = inbox ? { ...given, mail: { ...given.mail, ...inbox.server } } : given
  const built = await buildApp(config, hot ? { frontend: (await import('../development/vite.ts')).viteFrontend } : {})
  stopLater(() => built.close())
  app = built // from here on, a shutdown lets requests finish
  if (inbox) {
    built.log.warn(`MAILER_HOST is not set: mails are not sent, but shown at ${config.origin}/dev/inbox`)
    await built.register(inbox.pages)
  }
  await listen(built, { port: config.port, host: config.bind })
  await built.mail.work()
  await showMetrics(built, config)
  releaseMemory()
  built.log.info({ ...versions(), port: config.port }, 'started')
}

/** Metrics of this process. With several processes, the supervisor aggregates them. */
async function showMetrics({ metrics: registry }: FastifyInstance, { metricsPort, bind }: Config) {
  if (!registry || metricsPort === undefined) return
  const { handOver, serveMetrics } = await import('./metrics.ts')
  if (cluster.isWorker) return handOver(registry)
  stopLater(await serveMetrics({ port: metricsPort, host: bind, read: () => registry.metrics() }))
}

async function catchMail() {
  const { startInbox } = await import('../development/inbox/index.ts')
  const inbox = await startInbox(fileURLToPath(new URL('../.data/inbox/', import.meta.url)))
  stopLater(inbox.stop)
  return inbox
}
