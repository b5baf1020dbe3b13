import { existsSync } from 'node:fs'
import { migrate } from '../drizzle/migrate.ts'
import { ensureDemoAdmin } from '../features/auth/demo-admin.ts'
import { connect } from '../plugins/database/index.ts'
import { BadConfig, type Config } from './config.ts'
import { stopLater } from './stops.ts'

/** Everything that happens once, however many processes serve. Returns the configuration with what it lacked. */
export async function prepare(given: Config) {
  const config = given.production ? given : await prepareDevelopment(given)
  if (config.production && !existsSync(new URL('../build/client/.vite/manifest.json', import.meta.url))) {
    throw new BadConfig(['The build is missing: run `npm run build` first'])
  }
  await migrate(config.database.url, config.queueUrl)
  if (config.demoAdmin) await createDemoAdmin(config.database.url, config.demoAdmin)
  return config
}

async function prepareDevelopment(given: Config) {
  const { prepare } = await import('../development/prepare.ts')
  const { config, stop } = await prepare(given, { build: !process.argv.includes('--hot') })
  if (!given.database.url) stopLater(stop)
  return config
}

async function createDemoAdmin(url: string, admin: { email: string; password: string }) {
  const db = connect(url, 1)
  await ensureDemoAdmin(db, admin).finally(() => db.$client.end())
}

export function greet(config: Config, given: Config) {
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

/** Whether mails are shown to the developer instead of being sent. */
export const isCaught = ({ environment, mail }: Config) => environment === 'development' && !mail.host
