import type { FastifyBaseLogger } from 'fastify'

export type Mail = {
  from: string
  to: string
  subject: string
  text: string
  html: string
  messageId: string
}

export type Transport = {
  outcome: 'delivered' | 'dropped'
  /** What to log of the recipient. Kept minimal, since logs outlive people's data. */
  recipient(address: string): object
  /** Rejects with an error whose message and code may be logged, as `verify` does. */
  send(mail: Mail): Promise<unknown>
  verify(): Promise<unknown>
  close(): Promise<void>
}

export type MailServer = {
  host?: string | undefined
  port: number
  user?: string | undefined
  password?: string | undefined
}

export function transportTo(server: MailServer, log: Pick<FastifyBaseLogger, 'warn'>) {
  if (server.host) return smtpTransport(server)
  log.warn('MAILER_HOST is not set: mails are dropped, and users stay unverified')
  return stubTransport()
}

function smtpTransport({ host = '', port, user, password }: MailServer): Transport {
  const open = async () => {
    const { createTransport } = await import('nodemailer') // slow to load, so not before the first mail
    return createTransport({
      pool: true,
      host,
      port,
      secure: port === 465,
      ...(user || password ? { auth: { user, pass: password } } : {}),
      // An attacker who can forge a certificate can also strip STARTTLS, so a check would gain nothing. Only a password
      // must never reach an unverified server.
      tls: { rejectUnauthorized: port === 465 || Boolean(password) },
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let pool: ReturnType<typeof open> | undefined
  return {
    outcome: 'delivered',
    recipient: (address) => ({ domain: address.slice(address.lastIndexOf('@') + 1) }),
    async send({ to, ...mail }) {
      pool ??= open()
      // as an object, the value is always a single address, whatever it contains
      const fixed = { to: { name: '', address: to }, headers: { 'auto-submitted': 'auto-generated' } }
      await (await pool).sendMail({ ...mail, ...fixed }).catch(rethrow)
    },
    async verify() {
      pool ??= open()
      await (await pool).verify().catch(rethrow)
    },
    async close() {
      const opened = await pool
      opened?.close({ force: true })
    },
  }
}

type Failure = Error & { code?: string; originalCode?: string; response?: string; responseCode?: number }

// Of nodemailer, for what happened to the connection. Their messages come from it or from the system.
const connectionCodes = ['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']

/** Other messages quote the server, which may quote the mail with its link, or the login. */
function rethrow({ name, message, code = name, originalCode = code, response, responseCode }: Failure): never {
  const codes = [originalCode, responseCode].filter(Boolean).join(' ')
  const isAboutConnection = connectionCodes.includes(code) && !response
  throw Object.assign(new Error(isAboutConnection ? message : codes), { code: codes })
}

/** Logs the full address, since the log is the only trace of a dropped mail. */
const stubTransport = (): Transport => ({
  outcome: 'dropped',
  recipient: (address) => ({ to: address }),
  async send() {},
  async verify() {},
  async close() {},
})
