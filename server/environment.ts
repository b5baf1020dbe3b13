import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Address, readAddress, UnreadableAddress } from '../plugins/database/index.ts'
import { textOf } from '../plugins/files.ts'
import { incompleteIn } from './providers.ts'
import { type Environment, type Name, settings } from './settings.ts'

type Variables = Record<string, string | undefined>

/** Stops the boot, with one line per variable. Never contains a value, which may be a secret in the wrong variable. */
export class BadConfig extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'BadConfig'
  }
}

const names = Object.keys(settings) as Name[]

/** The variables with their defaults, and the addresses in them. Throws BadConfig with a line for each mistake. */
export function readEnvironment(variables: Variables) {
  const files = readSecretFiles(variables)
  const given: Variables = { ...variables, ...files.secrets }
  // The specification writes these two in lower case.
  const lowerCase: Variables = { APP_NAME: given.app_name, MAIL_FROM: given.mail_from }
  const environment = Object.fromEntries(
    names.map((name) => [name, given[name] || lowerCase[name] || settings[name].fallback]),
  ) as Environment

  const wrong = mistakesIn(environment)
  for (const name of missingIn(environment)) if (!given[`${name}_FILE`]) wrong.add(name)
  const { addresses, unreadable } = readAddresses(environment)
  const lines = Array.from(wrong, (name) => `${name} ${settings[name].must}`)
  const problems = [...files.problems, ...lines, ...unreadable]
  if (problems.length > 0) throw new BadConfig(problems)
  return { environment, addresses }
}

/** Secrets may lie in files instead, as orchestrators hand them out: `NAME_FILE` is the path. */
function readSecretFiles(variables: Variables) {
  const secrets: Variables = {}
  const problems: string[] = []
  for (const name of names.filter((name) => settings[name].isSecret)) {
    const path = variables[`${name}_FILE`]
    if (!path) continue
    const secret = textOf(path)?.replace(/\r?\n$/, '') // without the line end that editors and `echo` add
    if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: only one of them can count`)
    else if (secret) secrets[name] = secret
    else problems.push(`${name}_FILE must be the path of a file that can be read and is not empty`)
  }
  return { secrets, problems }
}

function mistakesIn(environment: Environment) {
  const { PORT, METRICS_PORT, HOST, DATABASE_CA, DEMO_ADMIN_EMAIL, DEMO_ADMIN_PASSWORD, LANGUAGES } = environment
  const wrong = new Set(
    names.filter((name) => environment[name] !== undefined && !settings[name].pattern.test(environment[name])),
  )
  if (METRICS_PORT === PORT && PORT !== '0') wrong.add('METRICS_PORT')
  if (DEMO_ADMIN_PASSWORD && Buffer.byteLength(DEMO_ADMIN_PASSWORD) > 72) wrong.add('DEMO_ADMIN_PASSWORD')
  if (HOST && !URL.canParse(HOST)) wrong.add('HOST')
  if (DEMO_ADMIN_EMAIL && !DEMO_ADMIN_PASSWORD) wrong.add('DEMO_ADMIN_PASSWORD')
  if (DEMO_ADMIN_PASSWORD && !DEMO_ADMIN_EMAIL) wrong.add('DEMO_ADMIN_EMAIL')
  if (DATABASE_CA && !isCertificate(DATABASE_CA)) wrong.add('DATABASE_CA')
  if (!languagesIn(LANGUAGES).every(hasFile)) wrong.add('LANGUAGES')
  return wrong
}

export const languagesIn = (list = '') => list.split(',').flatMap((tag) => tag.trim() || [])
const hasFile = (tag: string) => existsSync(new URL(`../languages/${tag}.ts`, import.meta.url))

function isCertificate(text: string) {
  try {
    return new X509Certificate(linesOf(text)).subject !== undefined
  } catch {
    return false
  }
}

// Where variables are limited to a single line, line breaks are often written as \n.
const linesOf = (text: string) => text.replaceAll('\\n', '\n')

function missingIn(environment: Environment): Name[] {
  const needed = environment.NODE_ENV === 'production' ? (['SECRET_KEY_BASE', 'DATABASE_URL'] as const) : []
  return [...incompleteIn(environment), ...needed.filter((name) => !environment[name])]
}

/** The addresses of databases, and a line for each that cannot be parsed. Never contains a value. */
function readAddresses(environment: Environment) {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, DATABASE_CA } = environment
  const certificate = DATABASE_CA && linesOf(DATABASE_CA)
  const addresses: { [Name in 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'QUEUE_URL']?: Address } = {}
  const unreadable: string[] = []
  for (const variable of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'QUEUE_URL'] as const) {
    const text = environment[variable]
    if (!text) continue
    const pooled = variable === 'DATABASE_URL' && DATABASE_DIRECT_URL !== DATABASE_URL
    try {
      addresses[variable] = readAddress(text, { variable, certificate, pooled })
    } catch (error) {
      if (!(error instanceof UnreadableAddress)) throw error
      unreadable.push(`${variable} ${error.message}`)
    }
  }
  return { addresses, unreadable }
}
