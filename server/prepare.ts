import { existsSync } from 'node:fs'
import { migrate } from '../drizzle/migrate.ts'
import { ensureDemoAdmin } from '../features/auth/index.ts'
import { connect, describeErrors, requireListening, requireSchema, waitForDatabase } from '../plugins/database/index.ts'
import { keyRing } from '../plugins/security/keys.ts'
import { createTokens } from '../plugins/security/tokens.ts'
import { BadConfig, type Config } from './config.ts'

/** What happens once per start, however many processes serve. Throws what `describeError` explains. */
export async function prepare(config: Config) {
  if (config.production && !existsSync(new URL('../build/client/.vite/manifest.json', import.meta.url))) {
    throw new BadConfig(['The build is missing: run `npm run build` first'])
  }
  await prepareDatabases(config)
  if (!config.demoAdmin) return
  const db = connect(config.database.direct, 1)
  const now = () => new Date()
  const tokens = createTokens(keyRing(config.secretKeyBase, config.previousSecretKeyBase)('tokens'), now)
  await ensureDemoAdmin({ db, now, tokens }, config.demoAdmin).finally(() => db.close())
}

export async function waitForDatabases({ database, queue }: Config, options: Parameters<typeof waitForDatabase>[1]) {
  for (const address of new Set([database.direct, database.address, queue.address]))
    await waitForDatabase(address, options)
}

/** Checks that each database can be reached and used, or throws an error that names the variable to check. */
export async function prepareDatabases(config: Config) {
  const { database, queue } = config
  const log = console.error
  await waitForDatabases(config, { seconds: database.waitSeconds, log })
  // First: a pooler by transaction breaks the installation of the queue, too, with an error that explains nothing.
  await requireListening(database.direct, database.address)
  if (!queue.joinsTransactions) {
    await requireListening(queue.address)
    await requireSchema(queue.address, 'pgboss')
  }
  await describeErrors(database.direct, () => migrate(database.direct, log))
}
