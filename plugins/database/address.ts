import { readFileSync } from 'node:fs'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { parse } from 'pg-connection-string'

/** The message says what is wrong with an address, and never contains its value. */
export class UnreadableAddress extends Error {}

function refuse(message: string): never {
  throw new UnreadableAddress(message)
}

export type Address = ReturnType<typeof readAddress>

type AddressOptions = { variable: string; certificate?: string | undefined; pooled?: boolean }

/** Reads a connection URL as libpq does. Throws UnreadableAddress. What it leaves open is empty. */
export function readAddress(text: string, { variable, certificate, pooled = false }: AddressOptions) {
  if (!/^postgres(ql)?:\/\/([^\s\p{Cc}#%]|%[\da-f]{2})*$/iu.test(text)) refuse(form)
  const [base = '', query] = text.split('?', 2)
  const { sslmode, sslrootcert, connect_timeout, ...options } = optionsIn(query)
  const url = `${base}?${new URLSearchParams(options)}`
  const { host, port, user = '', password = '', database } = attempt(() => parse(url), form)
  if (host?.includes(',') || port?.includes(',')) refuse('must name one host')
  if (port && !(Number(port) > 0 && Number(port) < 65_536)) refuse(form)
  if (connect_timeout && !/^\d{1,4}$/.test(connect_timeout)) refuse('has a connect_timeout that is not a number')
  return {
    variable,
    /** Behind a pooler by transaction, where settings and named statements would leak into other sessions. */
    pooled,
    host: host || 'localhost',
    port: Number(port || 5432),
    user,
    password,
    database: database ?? user,
    ssl: host?.startsWith('/') ? false : tlsOf({ sslmode, sslrootcert }, certificate),
    connectSeconds: Number(connect_timeout ?? 0),
    applicationName: options.application_name,
    options: options.options ?? '',
  }
}

const form =
  'must be an address such as postgres://user:password@host:5432/database, with %-codes for special characters'

// The driver's own parser would read files, warn of modes and print what it does not understand.
const knownOptions = [
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'connect_timeout',
  'options',
  'sslmode',
  'sslrootcert',
]
type UrlOptions = Record<string, string>

function optionsIn(query = ''): UrlOptions {
  const pairs = [...new URLSearchParams(query)]
  const options: UrlOptions = Object.fromEntries(pairs)
  if (pairs.some(([name]) => !knownOptions.includes(name)))
    refuse(`has an option that is not known here; known are ${knownOptions.join(', ')}`)
  if (pairs.length > Object.keys(options).length) refuse('has an option twice')
  return options
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']
type TlsOptions = Partial<Record<'sslmode' | 'sslrootcert', string | undefined>>

/** As libpq reads them, except that `prefer` is `disable`, and that an authority alone asks for everything. */
function tlsOf({ sslmode, sslrootcert }: TlsOptions, certificate?: string): false | ConnectionOptions {
  const mode = sslmode ?? (certificate || sslrootcert ? 'verify-full' : 'disable')
  if (!modes.includes(mode)) refuse(`must have an sslmode of ${modes.join(', ')}`)
  if (sslrootcert === 'system' && mode !== 'verify-full') refuse('with sslrootcert=system needs sslmode=verify-full')
  if (mode === 'disable' || mode === 'prefer') return false

  const ca = authoritiesOf(sslrootcert) ?? (certificate ? [certificate] : undefined)
  if (!ca && mode !== 'require')
    refuse('asks to verify a certificate: name its authority by sslrootcert (a path, or system) or DATABASE_CA')
  if (!ca) return { rejectUnauthorized: false }
  return { ca, ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }) }
}

/** `system` includes those bundled with Node, since slim images have none of their own. */
function authoritiesOf(path: string | undefined) {
  if (path === 'system') return [...getCACertificates('system'), ...getCACertificates('bundled')]
  return path ? [attempt(() => readFileSync(path, 'utf8'), 'has an sslrootcert that cannot be read')] : undefined
}

function attempt<Result>(work: () => Result, message: string) {
  try {
    return work()
  } catch {
    return refuse(message)
  }
}
