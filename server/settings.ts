import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { name } from '../brand/brand.ts'
import { providerSettings } from '../features/providers/configuration.ts'

/** How a variable is read: undefined if it is not what it `must` be. Those without a fallback may be missing. */
export type Setting<Value> = {
  must: string
  read(text: string): Value | undefined
  fallback?: Value
  isSecret?: true
}

const setting = <Value = string>(
  must: string,
  pattern = '.',
  read = (text: string): Value | undefined => text as Value,
): Setting<Value> => ({ must, read: (text) => (new RegExp(pattern, 'u').test(text) ? read(text) : undefined) })
const secret = (...rule: Parameters<typeof setting<string>>) => ({ ...setting(...rule), isSecret: true as const })
const withDefault = <Value>(setting: Setting<Value>, fallback: Value) => ({ ...setting, fallback })

function integer(must: string, minimum: number, maximum: number) {
  const inRange = (number: number) => (number >= minimum && number <= maximum ? number : undefined)
  return setting(must, '^\\d{1,9}$', (text) => inRange(Number(text)))
}
const whole = (things: string, minimum: number, maximum: number, fallback: number) =>
  withDefault(integer(`be a number of ${things} from ${minimum} to ${maximum}`, minimum, maximum), fallback)
const port = (must: string) => integer(must, 0, 65_535)

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const oneOf = <const Word extends string>(words: readonly Word[], fallback = words[0] as Word) =>
  withDefault({ must: `be ${either.format(words)}`, read: (text) => words.find((word) => word === text) }, fallback)

const toggle = setting('be true or false', '^(true|false|1|0|on|off)$', (word) => ['true', '1', 'on'].includes(word))

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** In milliseconds. */
const duration = (example: string) =>
  setting(
    `be a time such as ${example}: a number of up to five digits and s, m, h or d`,
    '^[1-9]\\d{0,4}[smhd]$',
    (text) => Number.parseInt(text, 10) * units[text.at(-1) as keyof typeof units],
  )

const url = (must: string, pattern: string) => setting(must, pattern, (text) => (URL.canParse(text) ? text : undefined))
const page = url('be the address of a page, such as https://example.com/terms', '^https?://[^\\s<>"]+$')

const database = secret('be an address such as postgres://user:password@host:5432/database')
const mailbox = '[^<>@\\s]+@[^<>@\\s]+'
// Directives and origins as in the header, without keywords such as 'unsafe-inline'.
const directive =
  '(script|style|img|font|connect|media|frame|worker)-src( +(https|wss)://(\\*\\.)?[\\w.-]+(:\\d{1,5})?)+'

/** All environment variables. Empty ones count as unset. */
export const settings = {
  NODE_ENV: oneOf(['development', 'production', 'test']),
  HOST: url(
    'be the public address of the application without a path, such as https://app.example.com',
    '^https?://[^/?#@\\s]+/?$',
  ),
  PORT: withDefault(port('be a port from 0 to 65535'), 3000),
  BIND: setting('be an address to listen on, such as 0.0.0.0'),
  SECRET_KEY_BASE: secret('be a secret of at least 32 characters; `openssl rand -hex 64` makes one', '^[^]{32,}$'),
  SECRET_KEY_BASE_PREVIOUS: secret(
    'be the SECRET_KEY_BASE that was used before, of at least 32 characters',
    '^[^]{32,}$',
  ),
  TRUST_PROXY: setting('be the number of proxies in front, from 0 to 5', '^([0-5]|true|false)$', (text) =>
    Number(text.replace('true', '1').replace('false', '0')),
  ),
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_CA: setting(
    'be the certificate of an authority as text, from -----BEGIN CERTIFICATE----- on',
    '.',
    certificateIn,
  ),
  DATABASE_WAIT: setting('be a number of seconds such as 60 or 60s', '^\\d{1,4}s?$', Number.parseInt),
  DATABASE_POOL: whole('connections', 1, 999, 10),
  QUEUE_URL: database,
  WEB_CONCURRENCY: whole('processes', 1, 999, 1),
  DRAIN_SECONDS: whole('seconds', 0, 999, 0),
  METRICS_PORT: port('be a port from 0 to 65535, and not that of PORT'),
  // A name, or an address, of which that of IPv6 has colons.
  MAILER_HOST: setting(
    'be the name of a mail server and nothing else, such as smtp.example.com: ' +
      'the port belongs in MAILER_PORT, the login in MAILER_USER and MAILER_PASSWORD',
    '^([^\\s:/@?#]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$',
  ),
  MAILER_PORT: withDefault(port('be a port such as 587 or 465'), 587),
  MAILER_USER: setting("be the mail server's username"),
  MAILER_PASSWORD: secret('be the password at the mail server'),
  MAIL_FROM: setting(
    'be an address such as accounts@example.com or Accounts <accounts@example.com>',
    `^([^<>\\r\\n]+ <${mailbox}>|${mailbox})$`,
  ),
  APP_NAME: withDefault(setting('be a name of 1 to 60 characters', '^.{1,60}$'), name),
  SIGN_UP: oneOf(['open', 'invitation_only']),
  LANGUAGES: setting(
    'be languages that the application speaks, such as en,de: the first is the default',
    '^[A-Za-z-]+( *, *[A-Za-z-]+)*$',
    languagesIn,
  ),
  TERMS_URL: page,
  PRIVACY_URL: page,
  IMPRINT_URL: page,
  ...providerSettings({ setting, secret }),
  SSR_ENABLED: toggle,
  SSR_TIMEOUT_MS: whole('milliseconds', 1, 999_999, 1_500),
  DEMO_ADMIN_EMAIL: setting('be an email address, set together with DEMO_ADMIN_PASSWORD', '^[^\\s@]+@[^\\s@]+$'),
  DEMO_ADMIN_PASSWORD: secret('have 12 to 72 characters, set together with DEMO_ADMIN_EMAIL', '^[^]{12,}$', (text) =>
    Buffer.byteLength(text) <= 72 ? text : undefined,
  ),
  COMMON_PASSWORDS: oneOf(['allow', 'refuse']),
  ACTIVITY_DAYS: whole('days', 1, 99_999, 365),
  SESSION_IDLE: duration('30m or 12h'),
  SESSION_MAX: duration('12h or 30d'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  COMPRESSION: toggle,
  CSP_SOURCES: setting(
    'be directives with origins, such as script-src https://js.example.com; img-src https://example.com',
    `^${directive}( *; *${directive})*;?$`,
    contentSourcesIn,
  ),
}

type Settings = typeof settings
export type Name = keyof Settings
export const names = Object.keys(settings) as Name[]

type ValueOf<S> = S extends Setting<infer Value> ? (S extends { fallback: unknown } ? Value : Value | undefined) : never
export type Environment = { [N in Name]: ValueOf<Settings[N]> }

/** Where variables are limited to a single line, line breaks are often written as \n. */
function certificateIn(given: string) {
  const text = given.replaceAll('\\n', '\n')
  try {
    return new X509Certificate(text) && text
  } catch {
    return undefined
  }
}

function languagesIn(list: string) {
  const tags = list.split(',').map((tag) => tag.trim())
  return tags.every((tag) => existsSync(new URL(`../languages/${tag}.ts`, import.meta.url))) ? tags : undefined
}

function contentSourcesIn(policy: string) {
  const sources: Record<string, string[]> = {}
  for (const part of policy.split(';')) {
    const [directive, ...origins] = part.trim().split(/ +/)
    if (directive) sources[directive] = [...(sources[directive] ?? []), ...origins]
  }
  return sources
}
