import type { FastifyBaseLogger } from 'fastify'
import { smtp } from './smtp.ts'
import type { MailService, MailSettings, Transport } from './transport.ts'

/** The first that the settings ask for sends all mails. */
const services: MailService[] = [smtp]

const serviceOf = (settings: MailSettings) => services.find(({ destination }) => destination(settings) !== undefined)

/** Where mails go, for operators to read. Undefined if they are dropped. */
export const mailDestination = (settings: MailSettings) => serviceOf(settings)?.destination(settings)

export function transportTo(settings: MailSettings, log: Pick<FastifyBaseLogger, 'warn'>) {
  const service = serviceOf(settings)
  if (service) return service.open(settings)
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
