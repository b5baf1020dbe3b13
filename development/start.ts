import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Config } from '../server/config.ts'
import { onShutdown } from '../server/shutdown.ts'
import { buildWhatIsStale } from './build.ts'
import { keptSecret } from './kept-secret.ts'
import { startPostgres } from './postgres/index.ts'
import { usesInbox } from './stand-ins.ts'

export { startStandIns } from './stand-ins.ts'

// What a start outside of production needs, and the server's only import of this folder.

/** Provides what the configuration lacks, as environment variables: a secret and a database. Builds stale pages. */
export async function prepare({ port, bind, secretKeyBase, database }: Config, { build = true } = {}) {
  // Before anything is started: a second start by mistake must not interfere with the first.
  await refuseTakenPort(port, bind)
  if (build) await buildWhatIsStale()
  const made: Record<string, string> = secretKeyBase ? {} : { SECRET_KEY_BASE: await keptSecret() }
  if (database.isGiven) return made
  const postgres = await startPostgres({ folder: fileURLToPath(new URL('../.data/postgres', import.meta.url)) })
  onShutdown(postgres.stop)
  return { ...made, DATABASE_URL: postgres.url }
}

async function refuseTakenPort(port: number, host: string) {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  await once(probe.close(), 'close')
}

/** Says what runs where. `given` is the configuration before anything was made. */
export function greet(config: Config, given: Config) {
  console.log(`
  ${config.appName} is running.

  Address   ${config.origin}
  Database  ${given.database.isGiven ? 'the one of DATABASE_URL' : 'embedded PostgreSQL in .data/'}
  Mail      ${describeMail(config)}
  Sign-up   ${config.invitationOnly ? 'by invitation only' : 'open to everybody'}

  Ctrl-C stops it.
`)
}

function describeMail(config: Config) {
  if (config.mail.host) return `sent through ${config.mail.host}`
  return usesInbox(config) ? `caught at ${config.origin}/dev/inbox` : 'dropped, because MAILER_HOST is not set'
}
