import { existsSync } from 'node:fs'
import { migrate } from '../drizzle/migrate.ts'
import { ensureDemoAdmin } from '../features/auth/demo-admin.ts'
import { type Address, connect, describeErrors, requireListening, waitForDatabase } from '../plugins/database/index.ts'
import '../plugins/live/events.ts'
import { type Config, loadConfig } from './config.ts'
import { BadConfig } from './environment.ts'
import { onShutdown } from './shutdown.ts'

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
    await waitForDatabase(address, { seconds: database.waitSeconds, log })
  }
  // First: a pooler by transaction breaks the installation of the queue, too, with an error that explains nothing.
  for (const address of new Set([database.direct, queue.address])) {
    await describeErrors(address, () => requireListening(address))
  }
  await describeErrors(database.direct, () => migrate(database.direct, log))
}

async function prepareDevelopment(given: Config) {
  const { prepare } = await import('../development/dev/prepare.ts')
  const { made, stop } = await prepare(given, { build: !process.argv.includes('--hot') })
  if (!given.database.isGiven) onShutdown(stop)
  return made
}

async function createDemoAdmin(address: Address, admin: { email: string; password: string }) {
  const db = connect(address, 1)
  await ensureDemoAdmin(db, admin).finally(() => db.close())
}
