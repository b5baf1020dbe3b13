import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../app.ts'
import { describeErrors } from '../plugins/database/index.ts'
import { type Config, loadConfig } from './config.ts'
import { answerWithMetrics, serveMetrics } from './metrics.ts'
import { prepare, waitForDatabases } from './prepare.ts'
import { ending, failStart, onShutdown, shutDownWithGrace } from './shutdown.ts'
import { followPrimary, supervise } from './supervisor.ts'

const close = shutDownWithGrace()
if (cluster.isWorker) followPrimary(close)

try {
  const loaded = loadConfig(process.env)
  const development = loaded.production ? undefined : await import('../development/start.ts')
  if (cluster.isWorker) await serve(loaded, development)
  else {
    await development?.buildWhatIsStale()
    const variables = (await development?.provide(loaded)) ?? {}
    const config = loadConfig({ ...process.env, ...variables })
    await prepare(config)
    if (config.processes > 1) await supervise(config, variables)
    else await serve(config, development)
    development?.greet(config, loaded)
  }
} catch (error) {
  await failStart(error)
}

type Development = typeof import('../development/start.ts')

async function serve(loaded: Config, development: Development | undefined) {
  const standIns = await development?.startStandIns(loaded)
  const config = standIns?.config ?? loaded
  const app = await buildApp(config)
  const pending = () => ({ requests: app.lifecycle.unanswered(), databaseConnections: app.db.stats().used })
  Object.assign(ending, { log: app.log, drainSeconds: config.drainSeconds, pending })
  onShutdown(() => app.close())
  await standIns?.register(app)
  const { metrics } = app
  if (metrics && cluster.isWorker) answerWithMetrics(metrics)
  else if (metrics) await serveMetrics(config, () => metrics.metrics())
  // A worker that is replaced while the database is away waits without end, as those wait that serve already.
  if (cluster.isWorker) await waitForDatabases(config, { seconds: Infinity, log: (line) => app.log.warn(line) })
  await describeErrors(config.queue.address, () => app.jobs.startWorkers())
  await app.listen({ port: config.port, host: config.bind })
  onShutdown(async ({ err }) => {
    app.lifecycle.closing = true
    if (!err) await sleep(config.drainSeconds * 1000)
  })
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  app.log.info({ version, node: process.versions.node, port: config.port }, 'started')
}
