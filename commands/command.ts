import type { FastifyInstance } from 'fastify'
import { type Database, describeErrors, type Tx } from '../plugins/database/index.ts'
import { messageOf } from '../plugins/http/logging.ts'
import { type Config, loadConfig } from '../server/config.ts'
import { onShutdown, shutDown } from '../server/shutdown.ts'

export class Usage extends Error {}

export const done = 0
export const notPossible = 1
const wrongUsage = 2

type Command = { usage: string; run(words: string[]): Promise<number> }

/** Exit code 0 means done, 1 not found or not possible, 2 invalid arguments. */
export async function command({ usage, run }: Command) {
  process.stdout.on('error', unlessNobodyReads)
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    process.exitCode = error instanceof Usage ? wrongUsage : notPossible
    console.error(error instanceof Usage ? usage : reasonOf(error))
  } finally {
    await shutDown()
  }
}

/** In development, the secret and the database are those of the server, unless others are given. */
export async function configured() {
  const config = loadConfig(process.env)
  if (config.production) return config
  const { provide } = await import('../development/start.ts')
  return loadConfig({ ...process.env, ...(await provide(config)) })
}

export async function openApp(config: Config) {
  const { buildApp } = await import('../app.ts')
  const frontend = async () => ({ version: '', document: () => '' }) // under `npm run dev` there is no build
  const silent = { ...config, environment: 'production', logLevel: 'silent', metricsPort: undefined } as const
  const app = await buildApp(silent, { frontend })
  onShutdown(() => app.close())
  await describeErrors(config.database.address, () => app.db.execute('select 1'))
  return app
}

/** Keeps what somebody did, where there is a log of it. */
export async function logCommand(
  app: FastifyInstance,
  db: Database | Tx,
  action: string,
  userId: number | null = null,
) {
  for (const log of app.commandLogs) await log(db, action, userId)
}

/** `npm run check | head -1` stops reading early. The command goes on. */
function unlessNobodyReads(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}

function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  return messageOf(error) || (error as NodeJS.ErrnoException).code || String(error)
}
