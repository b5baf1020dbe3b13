import type { FastifyBaseLogger } from 'fastify'
import { smtpTransport } from './smtp.ts'
import type { MailSettings, Transport } from './transport.ts'

/** Where mails go, for operators to read. Undefined if they are dropped. */
export const mailDestination = ({ host }: MailSettings) => host

export function transportTo(settings: MailSettings, log: Pick<FastifyBaseLogger, 'warn'>) {
  if (mailDestination(settings)) return smtpTransport(settings)
  log.warn('MAILER_HOST is not set: mails are dropped, and users stay unverified')
  return stubTransport()
}

/** Logs the full address, since the log is the only trace of a dropped mail. */
const stubTransport = (): Transport => ({
  outcome: 'dropped',
  recipient: (address) => ({ to: address }),
  async send() {},
  async verify() {},
  async close() {},
})
