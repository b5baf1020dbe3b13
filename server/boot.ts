import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { buildApp } from '../app.ts'
import { migrate } from '../drizzle/migrate.ts'
import { ensureDemoAdmin } from '../features/auth/demo-admin.ts'
import { connect } from '../plugins/database/index.ts'
import { BadConfig, type Config, loadConfig } from './config.ts'
import { releaseMemory } from './release-memory.ts'
import { supervise } from './supervise.ts'

const hot = process.argv.includes('--hot')

// Whatever has been started is stopped in the opposite order: requests and jobs in hand first, the database last.
const started: (() => Promise<unknown>)[] = []
const stopAll = async () => {
  for (const stop of started.splice(0).reverse()) await stop()
}
closeWithGrace({ delay: 9_000, logger: false }, async ({ err }) => {
  if (err) console.error(err)
  await stopAll()
})

try {
  const config = loadConfig(process.env)
  await (cluster.isPrimary ? boot(config) : serve(config))
} catch (error) {
  console.error(explain(error))
  await stopAll()
  process.exit(1)
}

/** Everything that happens once, however many processes serve. */
async function boot(given: Config) {
  const config = given.production ? given : await prepareDevelopment(given)
  if (config.production && !existsSync(new URL('../build/client/.vite/manifest.json', import.meta.url))) {
    throw new BadConfig(['The build is missing: run `npm run build` first'])
  }
  await migrate(config.database.url, config.queueUrl)
  if (config.demoAdmin) await createDemoAdmin(config.database.url, config.demoAdmin)

  if (config.processes === 1) await serve(config)
  else started.push(supervise(config))
  if (!config.production) greet(config, given)
}

async function serve(given: Config) {
  const inbox = isCaught(given) ? await catchMail() : undefined
  const config = inbox ? { ...given, mail: { ...given.mail, ...inbox.server } } : given
  const app = await buildApp(config, hot ? { frontend: (await import('../development/vite.ts')).viteFrontend } : {})
  started.push(() => app.close())
  if (inbox) await app.register(inbox.pages)
  await app.listen({ port: config.port, host: config.bind })
  await app.mail.work()
  releaseMemory()
}

function isCaught({ environment, mail }: Config) {
  return environment === 'development' && !mail.host
}

async function catchMail() {
  const { startInbox } = await import('../development/inbox/index.ts')
  const inbox = await startInbox(fileURLToPath(new URL('../.data/inbox/', import.meta.url)))
  started.push(inbox.stop)
  return inbox
}

async function prepareDevelopment(given: Config) {
  const { prepare } = await import('../development/prepare.ts')
  const { config, stop } = await prepare(given, { build: !hot })
  started.push(stop)
  return config
}

async function createDemoAdmin(url: string, admin: { email: string; password: string }) {
  const db = connect(url, 1)
  await ensureDemoAdmin(db, admin).finally(() => db.$client.end())
}

function greet(config: Config, given: Config) {
  console.log(`
  ${config.appName} is running.

  Address   ${config.origin}
  Database  ${given.database.url ? 'the one of DATABASE_URL' : 'embedded PostgreSQL in .data/'}
  Mail      ${fateOfMail(config)}
  Sign-up   ${config.invitationOnly ? 'by invitation only' : 'open to everybody'}

  Ctrl-C stops it.
`)
}

function fateOfMail(config: Config) {
  if (config.mail.host) return `sent through ${config.mail.host}`
  return isCaught(config) ? `caught at ${config.origin}/dev/inbox` : 'dropped, because MAILER_HOST is not set'
}

/** What an operator can act on takes one line; everything else is a fault of ours and keeps its stack. */
function explain(error: unknown) {
  if (error instanceof BadConfig) return error.message
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is taken: stop what listens there, or set PORT to another one`
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user: set PORT to one above 1023`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return 'The database of DATABASE_URL cannot be reached'
  return error
}
