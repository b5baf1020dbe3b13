import { existsSync } from 'node:fs'
import { Value } from 'typebox/value'
import { databasesOf, isCertificate, unreadableIn } from './addresses.ts'
import { incompleteIn, providersOf } from './providers.ts'
import { withSecretFiles } from './secret-files.ts'
import { defaults, Environment, type Name, requirements } from './settings.ts'

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
    languages: languagesIn(environment.LANGUAGES),
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
    contentSources: contentSourcesIn(environment.CSP_SOURCES),
  }
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
  if (!languagesIn(environment.LANGUAGES).every(hasFile)) wrong.add('LANGUAGES')
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

const hasFile = (tag: string) => existsSync(new URL(`../languages/${tag}.ts`, import.meta.url))
const languagesIn = (list = '') => list.split(',').flatMap((tag) => tag.trim() || [])

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const millisecondsIn = (duration: string | undefined) =>
  duration ? Number.parseInt(duration, 10) * units[duration.at(-1) as keyof typeof units] : undefined

// Most mail servers use the address as the user name.
const mailboxIn = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from

const isOn = (word: string) => ['true', '1', 'on'].includes(word)

/** Origins by directive. */
function contentSourcesIn(policy = '') {
  const sources: Record<string, string[]> = {}
  for (const part of policy.split(';')) {
    const [directive, ...origins] = part.trim().split(/ +/)
    if (directive) sources[directive] = [...(sources[directive] ?? []), ...origins]
  }
  return sources
}
