import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { databasesOf, isCertificate, unreadableIn } from './addresses.ts'
import { incompleteIn, providerRequirements, providersOf, providerVariables } from './providers.ts'
import { withSecretFiles } from './secret-files.ts'

const Switch = Type.Union(['true', 'false', '1', '0', 'on', 'off'].map((word) => Type.Literal(word)))
const Digits = (pattern: string) => Type.String({ pattern: `^(${pattern})$` })
const Port = Digits('\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]')
const Duration = Digits('[1-9]\\d{0,4}[smhd]')
const Text = Type.String({ minLength: 1 })
const Secret = Type.String({ minLength: 32 })
const oneOf = <const Words extends string[]>(...words: Words) => Type.Enum(words)

/** All environment variables. Empty values count as unset. */
const Environment = Type.Object({
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
})
type Environment = Static<typeof Environment>
type Name = keyof Environment

/** What each variable must be, in words for operators. */
const requirements: Record<Name, string> = {
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
}

export type Config = ReturnType<typeof loadConfig>

/** Stops the boot, with one line per variable. Never contains a value, which may be a secret in the wrong variable. */
export class BadConfig extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'BadConfig'
  }
}

/** Parses the environment. Throws BadConfig with a line for each mistake. */
export function loadConfig(variables: Record<string, string | undefined>) {
  const environment = check(variables)
  const production = environment.NODE_ENV === 'production'
  const port = Number(environment.PORT)
  const origin = new URL(environment.HOST ?? `http://localhost:${port}`).origin
  const sender = `${environment.APP_NAME.replace(/[<>"]/g, '')} <accounts@${new URL(origin).hostname}>`
  const from = environment.MAIL_FROM ?? sender

  return {
    warnings: warningsAbout(environment, origin),
    environment: environment.NODE_ENV,
    production,
    origin,
    secure: origin.startsWith('https:'),
    port,
    bind: environment.BIND ?? (production ? '0.0.0.0' : '127.0.0.1'),
    processes: Number(environment.WEB_CONCURRENCY),
    drainSeconds: Number(environment.DRAIN_SECONDS),
    metricsPort: environment.METRICS_PORT === undefined ? undefined : Number(environment.METRICS_PORT),
    secretKeyBase: environment.SECRET_KEY_BASE ?? '',
    previousSecretKeyBase: environment.SECRET_KEY_BASE_PREVIOUS,
    proxies: environment.TRUST_PROXY === 'true' ? 1 : Number(environment.TRUST_PROXY.replace('false', '0')),
    ...databasesOf(environment),
    mail: {
      from,
      host: environment.MAILER_HOST,
      port: Number(environment.MAILER_PORT),
      user: environment.MAILER_USER ?? (environment.MAILER_PASSWORD && mailboxIn(from)),
      password: environment.MAILER_PASSWORD,
      connections: Number(environment.MAILER_CONNECTIONS),
      rate: environment.MAILER_RATE === undefined ? undefined : Number(environment.MAILER_RATE),
    },
    appName: environment.APP_NAME,
    providers: providersOf(environment),
    invitationOnly: environment.SIGN_UP === 'invitation_only',
    ssr: {
      enabled: isOn(environment.SSR_ENABLED ?? String(environment.NODE_ENV === 'development')),
      timeoutMs: Number(environment.SSR_TIMEOUT_MS),
    },
    demoAdmin:
      environment.DEMO_ADMIN_EMAIL && environment.DEMO_ADMIN_PASSWORD
        ? { email: environment.DEMO_ADMIN_EMAIL, password: environment.DEMO_ADMIN_PASSWORD }
        : undefined,
    commonPasswords: environment.COMMON_PASSWORDS,
    activityDays: Number(environment.ACTIVITY_DAYS),
    sessions: { idle: millisecondsIn(environment.SESSION_IDLE), max: millisecondsIn(environment.SESSION_MAX) },
    logLevel: environment.LOG_LEVEL,
    compression: isOn(environment.COMPRESSION),
  }
}

const defaults: Partial<Record<Name, string>> = {
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
  APP_NAME: 'Accounts',
  SIGN_UP: 'open',
  SSR_TIMEOUT_MS: '1500',
  COMMON_PASSWORDS: 'allow',
  ACTIVITY_DAYS: '365',
  LOG_LEVEL: 'info',
  COMPRESSION: 'true',
}

function check(given: Record<string, string | undefined>): Environment {
  const { variables, problems } = withSecretFiles(given)
  const names = Object.keys(requirements) as Name[]
  // The specification writes these two in lower case.
  const read = (name: Name) =>
    variables[name] || (name === 'APP_NAME' || name === 'MAIL_FROM' ? variables[name.toLowerCase()] : undefined)
  const set = Object.fromEntries(names.flatMap((name) => (read(name) ? [[name, read(name)]] : [])))
  const environment: Partial<Record<Name, string>> = { ...defaults, ...set }

  const wrong = new Set(
    names.filter((name) => name in environment && !Value.Check(Environment.properties[name], environment[name])),
  )
  if (environment.METRICS_PORT === environment.PORT && environment.PORT !== '0') wrong.add('METRICS_PORT')
  if (environment.DEMO_ADMIN_PASSWORD && Buffer.byteLength(environment.DEMO_ADMIN_PASSWORD) > 72) {
    wrong.add('DEMO_ADMIN_PASSWORD')
  }
  if (environment.HOST && !URL.canParse(environment.HOST)) wrong.add('HOST')
  if (environment.DEMO_ADMIN_EMAIL && !environment.DEMO_ADMIN_PASSWORD) wrong.add('DEMO_ADMIN_PASSWORD')
  if (environment.DEMO_ADMIN_PASSWORD && !environment.DEMO_ADMIN_EMAIL) wrong.add('DEMO_ADMIN_EMAIL')
  if (environment.DATABASE_CA && !isCertificate(environment.DATABASE_CA)) wrong.add('DATABASE_CA')
  for (const name of incompleteIn(environment)) if (!given[`${name}_FILE`]) wrong.add(name)
  if (environment.NODE_ENV === 'production') {
    for (const name of ['SECRET_KEY_BASE', 'DATABASE_URL'] as const) {
      if (!environment[name] && !given[`${name}_FILE`]) wrong.add(name)
    }
  }

  const lines = [...problems, ...[...wrong].map((name) => `${name} ${requirements[name]}`)]
  const unreadable = wrong.has('DATABASE_CA') ? [] : unreadableIn(environment)
  if (lines.length + unreadable.length > 0) throw new BadConfig([...lines, ...unreadable])
  return environment as Environment // every field was checked above
}

/** Not fatal, but operators should know. */
function warningsAbout({ NODE_ENV, HOST, SECRET_KEY_BASE }: Environment, origin: string) {
  const warnings = []
  if (NODE_ENV === 'production' && !HOST) {
    warnings.push(`HOST is not set: links in mails begin with ${origin} and lead nowhere from anywhere else`)
  }
  if (SECRET_KEY_BASE && SECRET_KEY_BASE.length < 64) {
    warnings.push('SECRET_KEY_BASE has fewer than 64 characters; `openssl rand -hex 64` makes a longer one')
  }
  return warnings
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const millisecondsIn = (duration: string | undefined) =>
  duration ? Number.parseInt(duration, 10) * units[duration.at(-1) as keyof typeof units] : undefined

// Most mail servers use the address as the user name.
const mailboxIn = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from

const isOn = (word: string) => ['true', '1', 'on'].includes(word)
