import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { mailDestination } from '../plugins/mail/index.ts'
import type { Config } from '../server/config.ts'
import { onShutdown } from '../server/shutdown.ts'
import { startPostgres } from './postgres/index.ts'
import { usesInbox } from './stand-ins.ts'

export { buildWhatIsStale } from './build.ts'
export { startStandIns } from './stand-ins.ts'

// What a start outside of production needs, and the server's only import of this folder.

/** A secret and a database that are always the same, as environment variables, unless others are given. */
export async function provide({ secretKeyBase, database }: Config): Promise<Record<string, string>> {
  const secret = secretKeyBase ? undefined : { SECRET_KEY_BASE: await keptSecret() }
  if (database.isGiven) return { ...secret }
  const postgres = await startPostgres({ folder: fileURLToPath(new URL('postgres', data)) })
  onShutdown(postgres.stop)
  return { ...secret, DATABASE_URL: postgres.url }
}

const data = new URL('../.data/', import.meta.url)

async function keptSecret() {
  await mkdir(data, { recursive: true })
  const file = new URL('secret', data)
  await writeFile(file, randomBytes(64).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {}) // it exists
  return readFile(file, 'utf8')
}

/** Prints what runs where. `given` is the configuration before anything was provided. */
export function greet(config: Config, given: Config) {
  console.log(`
  ${config.appName} is running.

  Address   ${config.origin}
  Database  ${given.database.isGiven ? 'the one of DATABASE_URL' : 'embedded PostgreSQL in .data/'}
  Mail      ${describeMail(config)}
  Sign-up   ${config.invitationOnly ? 'by invitation only' : 'open to everybody'}
`)
}

function describeMail(config: Config) {
  const destination = mailDestination(config.mail)
  if (destination) return `sent through ${destination}`
  return usesInbox(config) ? `caught at ${config.origin}/dev/inbox` : 'dropped, because MAILER_HOST is not set'
}
