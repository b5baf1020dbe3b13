import { existsSync } from 'node:fs'
import { migrate, migrateQueue } from '../drizzle/migrate.ts'
import { ensureDemoAdmin } from '../features/auth/demo-admin.ts'
import { type Address, connect, explaining, requireListening, untilReachable } from '../plugins/database/index.ts'
import { BadConfig, type Config, loadConfig } from './config.ts'
import { stopLater } from './stops.ts'

/**
 * Everything that happens once per start, however many processes serve. Returns generated values as variables, and the
 * configuration that includes them.
 */
export async function prepare(given: Config, environment: NodeJS.ProcessEnv) {
  const made = given.production ? {} : await prepareDevelopment(given)
  const config = loadConfig({ ...environment, ...made })
  if (config.production && !existsSync(new URL('../build/client/.vite/manifest.json', import.meta.url))) {
    throw new BadConfig(['The build is missing: run `npm run build` first'])
  }
  await prepareDatabases(config)
  if (config.demoAdmin) await createDemoAdmin(config.database.direct, config.demoAdmin)
  return { config, made }
}

/**
 * Checks that each database is reachable and has what we need. Otherwise the boot fails and names the variable to
 * check.
 */
export async function prepareDatabases({ database, queue }: Config) {
  const log = console.error
  for (const address of new Set([database.direct, database.address, queue.address])) {
    await untilReachable(address, { seconds: database.wait, log })
  }
  await explaining(database.direct, () => migrate(database.direct, log))
  await explaining(queue.address, () => migrateQueue(queue.address, log, queue.profile))
  for (const address of new Set([database.direct, queue.address])) {
    await explaining(address, () => requireListening(address))
  }
}

async function prepareDevelopment(given: Config) {
  const { prepare } = await import('../development/prepare.ts')
  const { made, stop } = await prepare(given, { build: !process.argv.includes('--hot') })
  if (!given.database.isGiven) stopLater(stop)
  return made
}

async function createDemoAdmin(address: Address, admin: { email: string; password: string }) {
  const db = connect(address, 1)
  await ensureDemoAdmin(db, admin).finally(() => db.$client.end())
}

export function greet(config: Config, given: Config) {
  console.log(`
  ${config.appName} is running.

  Address   ${config.origin}
  Database  ${given.database.isGiven ? 'the one of DATABASE_URL' : 'embedded PostgreSQL in .data/'}
  Mail      ${fateOfMail(config)}
  Sign-up   ${config.invitationOnly ? 'by invitation only' : 'open to everybody'}

  Ctrl-C stops it.
`)
}

function fateOfMail(config: Config) {
  if (config.mail.host) return `sent through ${config.mail.host}`
  return isCaught(config) ? `caught at ${config.origin}/dev/inbox` : 'dropped, because MAILER_HOST is not set'
}

/** Whether mails go to the development inbox instead of a mail server. */
export const isCaught = ({ environment, mail }: Config) => environment === 'development' && !mail.host
