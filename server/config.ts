import { readAddress } from '../plugins/database/index.ts'
import { languagesIn, readEnvironment } from './environment.ts'
import { providersOf } from './providers.ts'
import type { Environment } from './settings.ts'

export type Config = ReturnType<typeof loadConfig>

/** What the application is built with. Throws BadConfig with a line for each mistake. */
export function loadConfig(variables: Record<string, string | undefined>) {
  const { environment, addresses } = readEnvironment(variables)
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
    ...databasesOf(environment, addresses),
    mail: {
      from,
      host: environment.MAILER_HOST,
      port: Number(environment.MAILER_PORT),
      user: environment.MAILER_USER ?? (environment.MAILER_PASSWORD && mailboxIn(from)),
      password: environment.MAILER_PASSWORD,
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
    sessions: { idleMs: millisecondsIn(environment.SESSION_IDLE), maxMs: millisecondsIn(environment.SESSION_MAX) },
    logLevel: environment.LOG_LEVEL,
    compression: isOn(environment.COMPRESSION),
    contentSources: contentSourcesIn(environment.CSP_SOURCES),
  }
}

/**
 * One database with up to three addresses: a pooled one, a direct one for sessions that must keep their connection, and
 * the queue's.
 */
function databasesOf(environment: Environment, addresses: ReturnType<typeof readEnvironment>['addresses']) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, QUEUE_URL } = environment
  const address = addresses.DATABASE_URL ?? readAddress('postgres://localhost', { variable: 'DATABASE_URL' })
  const direct = addresses.DATABASE_DIRECT_URL ?? address
  const other = [DATABASE_URL, DATABASE_DIRECT_URL].includes(QUEUE_URL) ? undefined : addresses.QUEUE_URL
  return {
    database: {
      isGiven: DATABASE_URL !== undefined,
      address,
      direct,
      pool: Number(environment.DATABASE_POOL),
      waitSeconds: Number.parseInt(environment.DATABASE_WAIT, 10),
    },
    queue: {
      address: other ?? direct,
      joinsTransactions: other === undefined,
    },
  }
}

/** Not fatal, but operators should know. */
function warningsAbout({ NODE_ENV, HOST, SECRET_KEY_BASE }: Environment, origin: string) {
  const warnings = []
  if (NODE_ENV === 'production' && !HOST) {
    warnings.push(`HOST is not set: links in mails begin with ${origin} and only work on this machine`)
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

/** Origins by directive. */
function contentSourcesIn(policy = '') {
  const sources: Record<string, string[]> = {}
  for (const part of policy.split(';')) {
    const [directive, ...origins] = part.trim().split(/ +/)
    if (directive) sources[directive] = [...(sources[directive] ?? []), ...origins]
  }
  return sources
}
