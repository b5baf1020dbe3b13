import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Config, loadConfig } from './config.ts'
import { failStart } from './describe-error.ts'
import { greet, usesInbox } from './greet.ts'
import { boundConnections, listen } from './listen.ts'
import { versions } from './log.ts'
import { prepare } from './prepare.ts'
import { releaseMemory } from './release-memory.ts'
import { exitAfter, onShutdown, shutDown, shutdownTimeoutMs } from './shutdown.ts'

// A process that serves requests: the only one, or a worker of server/supervise.ts.

const hot = process.argv.includes('--hot')
const ownConnections = 3 // to the database, besides those for requests

const development = hot ? await import('../development/dev/hot.ts') : undefined // of `npm run dev`

let app: FastifyInstance | undefined
let drainSeconds = 0

// Ctrl-C reaches every process of the terminal, but the supervisor decides when workers stop.
if (cluster.isWorker) process.on('SIGINT', () => {})
const skip: 'SIGINT'[] = cluster.isWorker ? ['SIGINT'] : []

closeWithGrace({ delay: false, logger: false, skip }, async ({ err, signal }) => {
  if (err && app) app.log.fatal({ err }, 'the process is exiting after an uncaught error')
  else if (err) console.error(err)
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
  if (cluster.isPrimary && !config.production && !hot) greet(config, given)
} catch (error) {
  await failStart(error)
}

async function serve(given: Config) {
  const inbox = usesInbox(given) ? await startMailInbox(given) : undefined
  const provider = await startDevelopmentProvider(given)
  const config = {
    ...given,
    ...(inbox && { mail: { ...given.mail, ...inbox.server } }),
    ...(provider && { providers: [...given.providers, provider.config] }),
  }
  const built = await buildApp(config, development ? { frontend: development.hotFrontend } : {})
  onShutdown(() => built.close())
  app = built // from here on, a shutdown lets requests finish
  if (inbox) {
    built.log.warn(`MAILER_HOST is not set: mails are not sent, but shown at ${config.origin}/dev/inbox`)
    await built.register(inbox.pages)
  }
  if (provider) await built.register(provider.pages)
  await showMetrics(built, config)
  const address = await listen(built, { port: config.port, host: config.bind })
  development?.reportListening(address)
  boundConnections(built, config.database.pool + ownConnections + config.mail.connections)
  await built.mail.work()
  await built.jobs.work()
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

/** A provider to sign in with that needs no registration. Several processes would each have their own keys. */
async function startDevelopmentProvider({ environment, origin, processes }: Config) {
  const isOwn = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)
  if (environment !== 'development' || processes > 1 || !isOwn) return undefined
  const { developmentProvider } = await import('../development/provider/pages.ts')
  return developmentProvider(origin)
}

async function startMailInbox({ secretKeyBase }: Config) {
  const { startInbox } = await import('../development/inbox/index.ts')
  const inbox = await startInbox(fileURLToPath(new URL('../.data/inbox/', import.meta.url)), secretKeyBase)
  onShutdown(inbox.stop)
  return inbox
}
