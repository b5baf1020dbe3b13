import { type Static, Type } from 'typebox'
import { name } from '../brand/brand.ts'
import { providerRequirements, providerVariables } from './providers.ts'

const Switch = Type.Union(['true', 'false', '1', '0', 'on', 'off'].map((word) => Type.Literal(word)))
const Digits = (pattern: string) => Type.String({ pattern: `^(${pattern})$` })
const Port = Digits('\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]')
const Duration = Digits('[1-9]\\d{0,4}[smhd]')
const Text = Type.String({ minLength: 1 })
const Secret = Type.String({ minLength: 32 })
// Directives and origins as in the header, without keywords such as 'unsafe-inline'.
const directive =
  '(script|style|img|font|connect|media|frame|worker)-src( +(https|wss)://(\\*\\.)?[\\w.-]+(:\\d{1,5})?)+'
const oneOf = <const Words extends string[]>(...words: Words) => Type.Enum(words)

/** All environment variables. Empty values count as unset. */
export const Environment = Type.Object({
  NODE_ENV: oneOf('development', 'production', 'test'),
  HOST: Type.Optional(Type.String({ pattern: '^https?://[^/?#@\\s]+/?$' })),
  PORT: Port,
  BIND: Type.Optional(Text),
  SECRET_KEY_BASE: Type.Optional(Secret),
  SECRET_KEY_BASE_PREVIOUS: Type.Optional(Secret),
  TRUST_PROXY: oneOf('0', '1', '2', '3', '4', '5', 'true', 'false'),
  DATABASE_URL: Type.Optional(Text),
  DATABASE_DIRECT_URL: Type.Optional(Text),
  DATABASE_CA: Type.Optional(Text),
  DATABASE_WAIT: Digits('\\d{1,4}s?'),
  DATABASE_POOL: Digits('[1-9]\\d{0,2}'),
  QUEUE_URL: Type.Optional(Text),
  QUEUE_PROFILE: oneOf('postgres', 'citus', 'yugabytedb'),
  WEB_CONCURRENCY: Digits('[1-9]\\d{0,2}'),
  DRAIN_SECONDS: Digits('\\d{1,3}'),
  METRICS_PORT: Type.Optional(Port),
  // a name, or an address, of which that of IPv6 has colons
  MAILER_HOST: Type.Optional(Type.String({ pattern: '^([^\\s:/@?#]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$' })),
  MAILER_PORT: Port,
  MAILER_USER: Type.Optional(Text),
  MAILER_PASSWORD: Type.Optional(Text),
  MAILER_CONNECTIONS: Digits('[1-9]\\d?'),
  MAILER_RATE: Type.Optional(Digits('[1-9]\\d{0,3}')),
  MAIL_FROM: Type.Optional(Type.String({ pattern: '^([^<>\\r\\n]+ <[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$' })),
  APP_NAME: Type.String({ minLength: 1, maxLength: 60 }),
  SIGN_UP: oneOf('open', 'invitation_only'),
  LANGUAGES: Type.Optional(Type.String({ pattern: '^[A-Za-z-]+( *, *[A-Za-z-]+)*$' })),
  ...providerVariables,
  SSR_ENABLED: Type.Optional(Switch),
  SSR_TIMEOUT_MS: Digits('[1-9]\\d{0,5}'),
  DEMO_ADMIN_EMAIL: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' })),
  DEMO_ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12, maxLength: 72 })),
  COMMON_PASSWORDS: oneOf('allow', 'refuse'),
  ACTIVITY_DAYS: Digits('[1-9]\\d{0,4}'),
  SESSION_IDLE: Type.Optional(Duration),
  SESSION_MAX: Type.Optional(Duration),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  COMPRESSION: Switch,
  CSP_SOURCES: Type.Optional(Type.String({ pattern: `^${directive}( *; *${directive})*;?$` })),
})
export type Environment = Static<typeof Environment>
export type Name = keyof Environment

/** What each variable must be, in words for operators. */
export const requirements: Record<Name, string> = {
  NODE_ENV: 'must be development, production or test',
  HOST: 'must be the public address of the application without a path, such as https://app.example.com',
  PORT: 'must be a port from 0 to 65535',
  BIND: 'must be an address to listen on, such as 0.0.0.0',
  SECRET_KEY_BASE: 'must be a secret of at least 32 characters; `openssl rand -hex 64` makes one',
  SECRET_KEY_BASE_PREVIOUS: 'must be the SECRET_KEY_BASE that was used before, of at least 32 characters',
  TRUST_PROXY: 'must be the number of proxies in front, from 0 to 5',
  DATABASE_URL: 'must be an address such as postgres://user:password@host:5432/database',
  DATABASE_DIRECT_URL: 'must be an address such as postgres://user:password@host:5432/database',
  DATABASE_CA: 'must be the certificate of an authority as text, from -----BEGIN CERTIFICATE----- on',
  DATABASE_WAIT: 'must be a number of seconds such as 60 or 60s',
  DATABASE_POOL: 'must be a number of connections from 1 to 999',
  QUEUE_URL: 'must be an address such as postgres://user:password@host:5432/database',
  QUEUE_PROFILE: 'must be postgres, citus or yugabytedb',
  WEB_CONCURRENCY: 'must be a number of processes from 1 to 999',
  DRAIN_SECONDS: 'must be a number of seconds from 0 to 999',
  METRICS_PORT: 'must be a port from 0 to 65535, and not that of PORT',
  MAILER_HOST:
    'must be the name of a mail server and nothing else, such as smtp.example.com: ' +
    'the port belongs in MAILER_PORT, the login in MAILER_USER and MAILER_PASSWORD',
  MAILER_PORT: 'must be a port such as 587 or 465',
  MAILER_USER: 'must be the user at the mail server',
  MAILER_PASSWORD: 'must be the password at the mail server',
  MAILER_CONNECTIONS: 'must be a number of connections from 1 to 99',
  MAILER_RATE: 'must be a number of mails a second from 1 to 9999',
  MAIL_FROM: 'must be an address such as accounts@example.com or Accounts <accounts@example.com>',
  APP_NAME: 'must be a name of 1 to 60 characters',
  SIGN_UP: 'must be open or invitation_only',
  LANGUAGES: 'must be languages that the application speaks, such as en,de: the first is the default',
  ...providerRequirements,
  SSR_ENABLED: 'must be true or false',
  SSR_TIMEOUT_MS: 'must be a number of milliseconds from 1 to 999999',
  DEMO_ADMIN_EMAIL: 'must be an email address, set together with DEMO_ADMIN_PASSWORD',
  DEMO_ADMIN_PASSWORD: 'must have 12 to 72 characters, set together with DEMO_ADMIN_EMAIL',
  COMMON_PASSWORDS: 'must be allow or refuse',
  ACTIVITY_DAYS: 'must be a number of days from 1 to 99999',
  SESSION_IDLE: 'must be a time such as 30m or 12h: a number of up to five digits and s, m, h or d',
  SESSION_MAX: 'must be a time such as 12h or 30d: a number of up to five digits and s, m, h or d',
  LOG_LEVEL: 'must be fatal, error, warn, info, debug, trace or silent',
  COMPRESSION: 'must be true or false',
  CSP_SOURCES:
    'must be directives with origins, such as script-src https://js.example.com; img-src https://example.com',
}

/** What applies without the variable. The others are off, or depend on other variables. */
export const defaults: Partial<Record<Name, string>> = {
  NODE_ENV: 'development',
  PORT: '3000',
  DATABASE_POOL: '10',
  DATABASE_WAIT: '60',
  QUEUE_PROFILE: 'postgres',
  WEB_CONCURRENCY: '1',
  DRAIN_SECONDS: '0',
  TRUST_PROXY: '1',
  MAILER_PORT: '587',
  MAILER_CONNECTIONS: '5',
  APP_NAME: name,
  SIGN_UP: 'open',
  SSR_TIMEOUT_MS: '1500',
  COMMON_PASSWORDS: 'allow',
  ACTIVITY_DAYS: '365',
  LOG_LEVEL: 'info',
  COMPRESSION: 'true',
}
