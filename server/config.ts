import { readFileSync } from 'node:fs'
import { incompleteIn, providersOf } from '../features/providers/configuration.ts'
import { readAddress, UnreadableAddress } from '../plugins/database/index.ts'
import { type Environment, type Name, names, type Setting, settings } from './settings.ts'

export type Config = ReturnType<typeof loadConfig>

type Variables = Record<string, string | undefined>

/** Stops the boot, with one line per variable. Never contains a value, which may be a secret in the wrong variable. */
export class BadConfig extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'BadConfig'
  }
}

export function loadConfig(variables: Variables) {
  const { environment, databases } = readEnvironment(variables)
  const production = environment.NODE_ENV === 'production'
  const origin = new URL(environment.HOST ?? `http://localhost:${environment.PORT}`).origin
  const sender = `${environment.APP_NAME.replace(/[<>"]/g, '')} <accounts@${new URL(origin).hostname}>`
  const from = environment.MAIL_FROM ?? sender
  const { DEMO_ADMIN_EMAIL: email, DEMO_ADMIN_PASSWORD: password } = environment

  return {
    warnings: warningsAbout(environment, origin),
    environment: environment.NODE_ENV,
    production,
    origin,
    secure: origin.startsWith('https:'),
    port: environment.PORT,
    bind: environment.BIND ?? (production ? '0.0.0.0' : '127.0.0.1'),
    processes: environment.WEB_CONCURRENCY,
    drainSeconds: environment.DRAIN_SECONDS,
    metricsPort: environment.METRICS_PORT,
    secretKeyBase: environment.SECRET_KEY_BASE ?? '',
    previousSecretKeyBase: environment.SECRET_KEY_BASE_PREVIOUS,
    proxies: environment.TRUST_PROXY ?? 1,
    ...databases,
    mail: {
      from,
      host: environment.MAILER_HOST,
      port: environment.MAILER_PORT,
      user: environment.MAILER_USER ?? (environment.MAILER_PASSWORD && mailboxIn(from)),
      password: environment.MAILER_PASSWORD,
    },
    appName: environment.APP_NAME,
    links: linksIn(environment),
    providers: providersOf(environment),
    invitationOnly: environment.SIGN_UP === 'invitation_only',
    languages: environment.LANGUAGES ?? [],
    ssr: {
      enabled: environment.SSR_ENABLED ?? environment.NODE_ENV === 'development',
      timeoutMs: environment.SSR_TIMEOUT_MS,
    },
    demoAdmin: email && password ? { email, password } : undefined,
    commonPasswords: environment.COMMON_PASSWORDS,
    activityDays: environment.ACTIVITY_DAYS,
    sessions: { idleMs: environment.SESSION_IDLE, maxMs: environment.SESSION_MAX },
    logLevel: environment.LOG_LEVEL,
    compression: environment.COMPRESSION ?? true,
    contentSources: environment.CSP_SOURCES ?? {},
  }
}

function readEnvironment(variables: Variables) {
  const problems: string[] = []
  const texts: Variables = {}
  const values: Record<string, unknown> = {}
  // The specification writes these two in lower case.
  const lowerCase: Variables = { APP_NAME: variables.app_name, MAIL_FROM: variables.mail_from }
  for (const name of names) {
    const { read, fallback }: Setting<unknown> = settings[name]
    const text = secretIn(name, variables, problems) || variables[name] || lowerCase[name] || undefined
    texts[name] = text
    values[name] = text ? read(text) : fallback
  }
  const environment = values as Environment
  const wrong = new Set(names.filter((name) => texts[name] && values[name] === undefined))
  if (environment.METRICS_PORT && environment.METRICS_PORT === environment.PORT) wrong.add('METRICS_PORT')
  for (const name of missingIn(texts)) if (!variables[`${name}_FILE`]) wrong.add(name)
  for (const name of wrong) problems.push(`${name} must ${settings[name].must}`)
  const databases = readDatabases(environment, problems)
  if (problems.length > 0) throw new BadConfig(problems)
  return { environment, databases }
}

/** Secrets may lie in files instead, as orchestrators hand them out: `NAME_FILE` is the path. */
function secretIn(name: Name, variables: Variables, problems: string[]) {
  const path = (settings[name] as Setting<unknown>).isSecret && variables[`${name}_FILE`]
  if (!path) return undefined
  if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: only one of them can count`)
  const secret = readIfExists(path)?.replace(/\r?\n$/, '') // without the line end that editors and `echo` add
  if (!secret) problems.push(`${name}_FILE must be the path of a file that can be read and is not empty`)
  return secret
}

function readIfExists(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function missingIn(texts: Variables): Name[] {
  const needed = texts.NODE_ENV === 'production' ? (['SECRET_KEY_BASE', 'DATABASE_URL'] as const) : []
  const demo = ['DEMO_ADMIN_EMAIL', 'DEMO_ADMIN_PASSWORD'] as const
  const asked = [...needed, ...(demo.some((name) => texts[name]) ? demo : [])]
  return [...incompleteIn(texts), ...asked.filter((name) => !texts[name])]
}

/** Pages of the operator, linked at the end of pages and mails. */
const linksIn = ({ TERMS_URL, PRIVACY_URL, IMPRINT_URL }: Environment) => ({
  ...(TERMS_URL && { terms: TERMS_URL }),
  ...(PRIVACY_URL && { privacy: PRIVACY_URL }),
  ...(IMPRINT_URL && { imprint: IMPRINT_URL }),
})

/** Up to two addresses of one database, a pooled and a direct one, and that of the queue. */
function readDatabases(environment: Environment, problems: string[]) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, QUEUE_URL, DATABASE_CA: certificate } = environment
  function read(variable: Name, text: string | undefined, pooled = false) {
    try {
      return text ? readAddress(text, { variable, certificate, pooled }) : undefined
    } catch (error) {
      if (!(error instanceof UnreadableAddress)) throw error
      problems.push(`${variable} ${error.message}`)
      return undefined
    }
  }
  const pooled = DATABASE_DIRECT_URL !== undefined && DATABASE_DIRECT_URL !== DATABASE_URL
  const local = readAddress('postgres://localhost', { variable: 'DATABASE_URL' })
  const address = read('DATABASE_URL', DATABASE_URL, pooled) ?? local
  const direct = (pooled && read('DATABASE_DIRECT_URL', DATABASE_DIRECT_URL)) || address
  const isShared = [DATABASE_URL, DATABASE_DIRECT_URL].includes(QUEUE_URL)
  const queue = isShared ? undefined : read('QUEUE_URL', QUEUE_URL)
  return {
    database: {
      isGiven: DATABASE_URL !== undefined,
      address,
      direct,
      pool: environment.DATABASE_POOL,
      waitSeconds: environment.DATABASE_WAIT ?? 60,
    },
    queue: { address: queue ?? direct, joinsTransactions: queue === undefined },
  }
}

function warningsAbout({ NODE_ENV, HOST, SECRET_KEY_BASE }: Environment, origin: string) {
  const warnings = []
  if (NODE_ENV === 'production' && !HOST)
    warnings.push(`HOST is not set: links in mails begin with ${origin} and only work on this machine`)
  if (SECRET_KEY_BASE && SECRET_KEY_BASE.length < 64)
    warnings.push('SECRET_KEY_BASE has fewer than 64 characters; `openssl rand -hex 64` makes a longer one')
  return warnings
}

// Most mail servers use the address as the user name.
const mailboxIn = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from
