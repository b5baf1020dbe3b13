import type { MailSettings, Transport } from './transport.ts'

/** Any mail server. */
export function smtpTransport({ host = '', port, user, password }: MailSettings): Transport {
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
      // An object is always a single address, whatever it contains.
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
