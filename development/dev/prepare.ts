import { fileURLToPath } from 'node:url'
import type { Config } from '../../server/config.ts'
import { refuseTakenPort } from '../../server/listen.ts'
import { buildWhatIsStale } from '../build.ts'
import { keptSecret } from '../kept-secret.ts'
import { startPostgres } from '../postgres/index.ts'

const folder = fileURLToPath(new URL('../../.data/', import.meta.url))

/** Provides what the configuration lacks in development, as environment variables: a secret, a database and a build. */
export async function prepare(config: Config, { build = true } = {}) {
  // Check before starting anything: a second start by mistake must not interfere with the first.
  await refuseTakenPort({ port: config.port, host: config.bind })
  if (build) await buildWhatIsStale()

  const made: Record<string, string> = config.secretKeyBase ? {} : { SECRET_KEY_BASE: await keptSecret() }
  if (config.database.isGiven) return { made, stop: async () => {} }

  const postgres = await startPostgres({ folder: `${folder}postgres` })
  return { made: { ...made, DATABASE_URL: postgres.url }, stop: postgres.stop }
}
