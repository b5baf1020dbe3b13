import type { FastifyBaseLogger } from 'fastify'

export type Mail = {
  from: string
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  signal: AbortSignal
}

export type Transport = {
  /** What has become of a mail that was sent without an error, for the log. */
  outcome: string
  /** What the log says of the recipient: it outlives the person. */
  recipient(address: string): object
  send(mail: Mail): Promise<unknown>
  /** Throws when the server cannot be reached, or refuses the login. */
  verify(): Promise<unknown>
  /** Breaks off what is still being sent. */
  close(): Promise<void>
}

export type MailServer = {
  host?: string | undefined
  port: number
  user?: string | undefined
  password?: string | undefined
}

export function transportTo({ host, ...server }: MailServer, log: Pick<FastifyBaseLogger, 'warn'>) {
  if (host) return smtpTransport({ host, ...server })
  log.warn('MAILER_HOST is not set: mails are dropped, and users stay unverified')
  return stubTransport()
}

function smtpTransport({ host, port, user, password }: MailServer): Transport {
  const open = async () => {
    const { createTransport } = await import('nodemailer') // slow to load, so not before the first mail
    return createTransport({
      pool: true,
      host,
      port,
      secure: port === 465,
      ...(user || password ? { auth: { user, pass: password } } : {}),
      // Whoever can forge a certificate can as well hide that the server offers TLS. Only a password must not reach a server that cannot prove its name.
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
    outcome: 'mail delivered',
    recipient: (address) => ({ domain: address.slice(address.lastIndexOf('@') + 1) }),
    async send({ to, ...mail }) {
      pool ??= open()
      // as an object the address stays one address, whatever it holds
      const fixed = { to: { name: '', address: to }, headers: { 'auto-submitted': 'auto-generated' } }
      await (await pool).sendMail({ ...mail, ...fixed })
    },
    async verify() {
      pool ??= open()
      await (await pool).verify()
    },
    async close() {
      const opened = await pool
      opened?.close({ force: true })
    },
  }
}

/** Nobody else can tell what it was told to send. */
const stubTransport = (): Transport => ({
  outcome: 'mail dropped',
  recipient: (address) => ({ to: address }),
  async send() {},
  async verify() {},
  async close() {},
})
