import { name } from '../brand/brand.ts'

type Fallback = string | undefined

/** What a variable may be, the same in words for operators, and what applies without it. */
const setting = <F extends Fallback = undefined>(pattern: RegExp, must: string, fallback?: F) => ({
  pattern,
  must: `must ${must}`,
  fallback: fallback as F,
  isSecret: false,
})

/** What may lie in a file instead. */
const secret = (pattern: RegExp, must: string) => ({ ...setting(pattern, must), isSecret: true })

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const oneOf = <F extends Fallback = undefined>(words: string[], fallback?: F) =>
  setting(new RegExp(`^(${words.join('|')})$`), `be ${either.format(words)}`, fallback)

/** A whole number. `to` consists of nines. */
const numberOf = <F extends Fallback = undefined>(things: string, from: 0 | 1, to: number, fallback?: F) => {
  const digits = String(to).length
  const pattern = from === 0 ? `^\\d{1,${digits}}$` : `^[1-9]\\d{0,${digits - 1}}$`
  return setting(new RegExp(pattern), `be a number of ${things} from ${from} to ${to}`, fallback)
}

const text = /./s
const port = /^(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/
const key = /^.{32,}$/s
const database = secret(text, 'be an address such as postgres://user:password@host:5432/database')
const duration = (example: string) =>
  setting(/^[1-9]\d{0,4}[smhd]$/, `be a time such as ${example}: a number of up to five digits and s, m, h or d`)
const toggle = /^(true|false|1|0|on|off)$/
const mailbox = '[^<>@\\s]+@[^<>@\\s]+'
// A name, or an address, of which that of IPv6 has colons.
const mailer = /^([^\s:/@?#]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/
// Directives and origins as in the header, without keywords such as 'unsafe-inline'.
const directive =
  '(script|style|img|font|connect|media|frame|worker)-src( +(https|wss)://(\\*\\.)?[\\w.-]+(:\\d{1,5})?)+'

// Tokens and secrets go there, so anything but https has to stay on this machine.
const providerUrl = /^(https:\/\/[^/?#@\s]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?)(\/[^?#\s]*)?$/
const providerAt = (example: string) =>
  setting(providerUrl, `be an address with https, such as ${example}, set together with a client id`)
const clientId = (provider: string) =>
  setting(text, `be the client id that ${provider} gave, set together with its secret`)
const clientSecret = (provider: string) =>
  secret(text, `be the client secret that ${provider} gave, set together with its id`)

/** All environment variables. Empty values count as unset. */
export const settings = {
  NODE_ENV: oneOf(['development', 'production', 'test'], 'development'),
  HOST: setting(
    /^https?:\/\/[^/?#@\s]+\/?$/,
    'be the public address of the application without a path, such as https://app.example.com',
  ),
  PORT: setting(port, 'be a port from 0 to 65535', '3000'),
  BIND: setting(text, 'be an address to listen on, such as 0.0.0.0'),
  SECRET_KEY_BASE: secret(key, 'be a secret of at least 32 characters; `openssl rand -hex 64` makes one'),
  SECRET_KEY_BASE_PREVIOUS: secret(key, 'be the SECRET_KEY_BASE that was used before, of at least 32 characters'),
  TRUST_PROXY: setting(/^([0-5]|true|false)$/, 'be the number of proxies in front, from 0 to 5', '1'),
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_CA: setting(text, 'be the certificate of an authority as text, from -----BEGIN CERTIFICATE----- on'),
  DATABASE_WAIT: setting(/^\d{1,4}s?$/, 'be a number of seconds such as 60 or 60s', '60'),
  DATABASE_POOL: numberOf('connections', 1, 999, '10'),
  QUEUE_URL: database,
  WEB_CONCURRENCY: numberOf('processes', 1, 999, '1'),
  DRAIN_SECONDS: numberOf('seconds', 0, 999, '0'),
  METRICS_PORT: setting(port, 'be a port from 0 to 65535, and not that of PORT'),
  MAILER_HOST: setting(
    mailer,
    'be the name of a mail server and nothing else, such as smtp.example.com: ' +
      'the port belongs in MAILER_PORT, the login in MAILER_USER and MAILER_PASSWORD',
  ),
  MAILER_PORT: setting(port, 'be a port such as 587 or 465', '587'),
  MAILER_USER: setting(text, "be the mail server's username"),
  MAILER_PASSWORD: secret(text, 'be the password at the mail server'),
  MAIL_FROM: setting(
    new RegExp(`^([^<>\\r\\n]+ <${mailbox}>|${mailbox})$`),
    'be an address such as accounts@example.com or Accounts <accounts@example.com>',
  ),
  APP_NAME: setting(/^.{1,60}$/su, 'be a name of 1 to 60 characters', name),
  SIGN_UP: oneOf(['open', 'invitation_only'], 'open'),
  LANGUAGES: setting(
    /^[A-Za-z-]+( *, *[A-Za-z-]+)*$/,
    'be languages that the application speaks, such as en,de: the first is the default',
  ),
  GOOGLE_CLIENT_ID: clientId('Google'),
  GOOGLE_CLIENT_SECRET: clientSecret('Google'),
  GITHUB_CLIENT_ID: clientId('GitHub'),
  GITHUB_CLIENT_SECRET: clientSecret('GitHub'),
  GITHUB_URL: providerAt('https://github.example.com'),
  GITLAB_CLIENT_ID: clientId('GitLab'),
  GITLAB_CLIENT_SECRET: clientSecret('GitLab'),
  GITLAB_URL: providerAt('https://gitlab.example.com'),
  MICROSOFT_CLIENT_ID: clientId('Microsoft'),
  MICROSOFT_CLIENT_SECRET: clientSecret('Microsoft'),
  MICROSOFT_TENANT: setting(
    /^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|organizations|consumers|common)$/,
    "be a tenant's id, organizations, consumers or common, set together with a client id",
  ),
  OIDC_ISSUER: providerAt('https://login.example.com'),
  OIDC_CLIENT_ID: clientId('the provider of OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: clientSecret('the provider of OIDC_ISSUER'),
  OIDC_NAME: setting(/^[^\r\n]{1,60}$/u, 'be a name of 1 to 60 characters, set together with OIDC_ISSUER'),
  SSR_ENABLED: setting(toggle, 'be true or false'),
  SSR_TIMEOUT_MS: numberOf('milliseconds', 1, 999_999, '1500'),
  DEMO_ADMIN_EMAIL: setting(/^[^\s@]+@[^\s@]+$/, 'be an email address, set together with DEMO_ADMIN_PASSWORD'),
  DEMO_ADMIN_PASSWORD: secret(/^.{12,72}$/su, 'have 12 to 72 characters, set together with DEMO_ADMIN_EMAIL'),
  COMMON_PASSWORDS: oneOf(['allow', 'refuse'], 'allow'),
  ACTIVITY_DAYS: numberOf('days', 1, 99_999, '365'),
  SESSION_IDLE: duration('30m or 12h'),
  SESSION_MAX: duration('12h or 30d'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  COMPRESSION: setting(toggle, 'be true or false', 'true'),
  CSP_SOURCES: setting(
    new RegExp(`^${directive}( *; *${directive})*;?$`),
    'be directives with origins, such as script-src https://js.example.com; img-src https://example.com',
  ),
}
export type Name = keyof typeof settings
export type Environment = { [N in Name]: string | (typeof settings)[N]['fallback'] }
