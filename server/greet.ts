import type { Config } from './config.ts'

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

/** Whether mails go to the development inbox instead of a mail server. */
export const usesInbox = ({ environment, mail }: Config) => environment === 'development' && !mail.host
