import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readAddress, UnreadableAddress } from '../plugins/database/index.ts'
import { normalizeEmail } from '../plugins/mail/normalize.ts'
import { mailDestination } from '../plugins/mail/services.ts'
import { millisecondsIn, type OptionConfig, optionSettings, wordsIn } from '../plugins/settings.ts'
import { type Environment, isAllowed, type Name, names, ruleOf } from './settings.ts'

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
  const mail = {
    from,
    host: environment.MAILER_HOST,
    port: environment.MAILER_PORT,
    user: environment.MAILER_USER ?? (environment.MAILER_PASSWORD && mailboxIn(from)),
    password: environment.MAILER_PASSWORD,
  }

  const hasMail = !production || mailDestination(mail) !== undefined
  const ofOptions: OptionConfig = Object.assign({}, ...optionSettings.map(({ read }) => read(environment, { hasMail })))

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
    keepAliveSeconds: environment.KEEP_ALIVE_SECONDS,
    metricsPort: environment.METRICS_PORT,
    secretKeyBase: environment.SECRET_KEY_BASE ?? '',
    previousSecretKeyBase: environment.SECRET_KEY_BASE_PREVIOUS,
    proxies: environment.TRUST_PROXY === 'true' ? 1 : Number(environment.TRUST_PROXY.replace('false', '0')),
    ...databases,
    mail,
    appName: environment.APP_NAME,
    /** Pages of the operator, linked at the end of pages and mails. */
    links: {
      terms: environment.TERMS_URL,
      privacy: environment.PRIVACY_URL,
      imprint: environment.IMPRINT_URL,
      support: environment.SUPPORT_URL ?? (environment.SUPPORT_EMAIL && `mailto:${environment.SUPPORT_EMAIL}`),
    },
    invitationOnly: environment.SIGN_UP === 'invitation_only',
    languages: wordsIn(environment.LANGUAGES),
    ssr: {
      enabled: isOn(environment.SSR_ENABLED ?? String(environment.NODE_ENV === 'development')),
      timeoutMs: environment.SSR_TIMEOUT_MS,
    },
    demoAdmin: email && password ? { email, password } : undefined,
    demoEmail: email && normalizeEmail(email),
    ...ofOptions,
    commonPasswords: environment.COMMON_PASSWORDS,
    activityDays: environment.ACTIVITY_DAYS,
    sessions: { idleMs: lifetimeIn(environment.SESSION_IDLE), maxMs: lifetimeIn(environment.SESSION_MAX) },
    logLevel: environment.LOG_LEVEL,
    compression: isOn(environment.COMPRESSION),
    contentSources: contentSourcesIn(environment.CSP_SOURCES),
  }
}

// Nobody sees it, and another editor or a copy by hand leaves it out: then all is signed with another secret.
const byteOrderMark = '\ufeff'

function readEnvironment(variables: Variables) {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  // The specification writes these two in lower case.
  const lowerCase: Variables = { APP_NAME: variables.app_name, MAIL_FROM: variables.mail_from }
  for (const name of names) {
    const { type, default: fallback } = ruleOf(name)
    const value = secretIn(name, variables, problems) || variables[name] || lowerCase[name]
    values[name] = value && type === 'integer' && /^\d{1,9}$/.test(value) ? Number(value) : value || fallback
  }
  const environment = values as Environment
  const wrong = new Set(names.filter((name) => values[name] !== undefined && !isAllowed(name, values[name])))
  for (const name of mistakesIn(environment))
    if (values[name] !== undefined || !variables[`${name}_FILE`]) wrong.add(name) // else the file has its line already
  for (const name of wrong) problems.push(`${name} must ${ruleOf(name).must}`)
  for (const name of names)
    if (String(values[name]).includes(byteOrderMark))
      problems.push(`${name} contains a byte order mark: save it without one, as plain UTF-8`)
  const databases = readDatabases(environment, problems)
  if (problems.length > 0) throw new BadConfig(problems)
  return { environment, databases }
}

/** Secrets may lie in files instead, as orchestrators hand them out: `NAME_FILE` is the path. */
function secretIn(name: string, variables: Variables, problems: string[]) {
  const path = ruleOf(name).isSecret && variables[`${name}_FILE`]
  if (!path) return undefined
  if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: only one of them can count`)
  let secret = ''
  try {
    secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '') // without the line end that editors and `echo` add
  } catch {} // an unreadable file counts as an empty one
  if (!secret) problems.push(`${name}_FILE must be the path of a file that can be read and is not empty`)
  return secret
}

function mistakesIn(environment: Environment) {
  const { PORT, METRICS_PORT, DATABASE_CA, DEMO_ADMIN_EMAIL, DEMO_ADMIN_PASSWORD, LANGUAGES } = environment
  const production = environment.NODE_ENV === 'production'
  const rules: [Name, boolean][] = [
    ['SECRET_KEY_BASE', production && !environment.SECRET_KEY_BASE],
    ['SECRET_KEY_BASE_PREVIOUS', environment.SECRET_KEY_BASE_PREVIOUS === (environment.SECRET_KEY_BASE ?? '')],
    ['DATABASE_URL', production && !environment.DATABASE_URL],
    ['METRICS_PORT', METRICS_PORT === PORT && PORT !== 0],
    ['DEMO_ADMIN_PASSWORD', Buffer.byteLength(DEMO_ADMIN_PASSWORD ?? '') > 72],
    ['DEMO_ADMIN_PASSWORD', DEMO_ADMIN_EMAIL !== undefined && DEMO_ADMIN_PASSWORD === undefined],
    ['DEMO_ADMIN_EMAIL', DEMO_ADMIN_PASSWORD !== undefined && DEMO_ADMIN_EMAIL === undefined],
    ['DATABASE_CA', DATABASE_CA !== undefined && !isCertificate(DATABASE_CA)],
    ['LANGUAGES', !wordsIn(LANGUAGES).every(hasFile) || hasDoubles(wordsIn(LANGUAGES))],
  ]
  return [
    ...optionSettings.flatMap(({ mistakes }) => mistakes?.(environment) ?? []),
    ...rules.flatMap(([name, isWrong]) => (isWrong ? [name] : [])),
  ]
}

const hasFile = (tag: string) => existsSync(new URL(`../languages/${tag}.ts`, import.meta.url))

const hasDoubles = (words: string[]) => new Set(words).size < words.length

function isCertificate(text: string) {
  try {
    return new X509Certificate(linesOf(text)).subject !== undefined
  } catch {
    return false
  }
}

// Where variables are limited to a single line, line breaks are often written as \n.
const linesOf = (text: string) => text.replaceAll('\\n', '\n')

/** Up to two addresses of one database, a pooled and a direct one, and that of the queue. */
function readDatabases({ DATABASE_URL, DATABASE_DIRECT_URL, QUEUE_URL, ...others }: Environment, problems: string[]) {
  const certificate = others.DATABASE_CA && linesOf(others.DATABASE_CA)
  function read(variable: Name, text: string | undefined, pooled = false) {
    try {
      return text?.trim() ? readAddress(text, { variable, certificate, pooled }) : undefined
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
      pool: others.DATABASE_POOL,
      waitSeconds: Number.parseInt(others.DATABASE_WAIT, 10),
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

const lifetimeIn = (duration: string | undefined) => (duration ? millisecondsIn(duration) : undefined)

// Most mail servers use the address as the user name.
const mailboxIn = (from: string) => /<(.+)>/.exec(from)?.[1] ?? from

const isOn = (word: string) => ['true', '1', 'on'].includes(word)

function contentSourcesIn(policy = '') {
  const sources: Record<string, string[]> = {}
  for (const part of policy.split(';')) {
    const [directive, ...origins] = part.trim().split(/ +/)
    if (directive) sources[directive] = [...(sources[directive] ?? []), ...origins]
  }
  return sources
}
