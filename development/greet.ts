import type { Config } from '../server/config.ts'
import { usesInbox } from './stand-ins.ts'

/** Says in development what runs where. */
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
