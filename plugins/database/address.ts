import { userInfo } from 'node:os'
import { refuse } from './refusal.ts'
import { tlsOf } from './tls.ts'

/** How to connect to a database, independent of the driver. */
export type Address = ReturnType<typeof readAddress>

const targets = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

type Given = { variable: string; certificate?: string | undefined; pooled?: boolean }

/**
 * Parses a connection URL as libpq does (postgresql.org/docs/current/libpq-connect.html), and rejects what libpq would
 * reject or what we do not support. Throws UnreadableAddress.
 */
export function readAddress(text: string, { variable, certificate, pooled = false }: Given) {
  const { user, password, hosts, database, options } = parse(text)
  const given = optionsIn(options)
  const all = hostsOf(given, hosts)
  const [folder] = all.filter(({ host }) => host.startsWith('/'))
  if (folder && all.length > 1) refuse('must have one socket folder, or hosts')
  const name = given.user ?? (user || userInfo().username)
  return {
    /** The environment variable it was read from, for error messages. */
    variable,
    hosts: folder ? [] : all,
    /** A socket file, instead of hosts. */
    path: folder && `${folder.host}/.s.PGSQL.${folder.port}`,
    user: name,
    password: given.password ?? password,
    database: given.dbname ?? (database || name),
    tls: folder ? false : tlsOf(given, certificate),
    target: targetOf(given.target_session_attrs),
    /** Seconds. */
    connectTimeout: Number(numberIn(given.connect_timeout)) || undefined,
    /** Startup parameters sent to the server. */
    parameters: {
      ...(given.application_name ? { application_name: given.application_name } : {}),
      ...(given.options ? { options: given.options } : {}),
    },
    /**
     * A transaction pooler is in between: each transaction may get another connection, so session state does not last.
     */
    pooled,
  }
}

const form =
  'must be an address such as postgres://user:password@host:5432/database, with %-codes for special characters'

/**
 * Parsed by hand, because the URL class supports only one host and tolerates mistakes that would reveal a password:
 * spaces, # and a second @.
 */
function parse(text: string) {
  const [, authority = '', path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^/?]*))?(?:\?(.*))?$/.exec(text) ?? refuse(form)
  const [login, list = '', ...more] = authority.includes('@') ? authority.split('@') : ['', authority]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
  if (more.length > 0 || `${path}${query}`.includes('@') || /[\x00-\x20\x7f#]/.test(text)) refuse(form)
  const [user = '', password = '', ...rest] = (login ?? '').split(':')
  if (rest.length > 0) refuse(form)
  return {
    user: decode(user),
    password: decode(password),
    hosts: list === '' ? [] : list.split(',').map(hostIn),
    database: decode(path),
    options: query,
  }
}

function hostIn(text: string) {
  const encoded = /^%2f/i.test(text) ? /^([^:]+)(?::(\d+))?$/.exec(text) : undefined
  if (encoded) return { host: decode(encoded[1] ?? ''), port: Number(encoded[2] ?? 5432) }
  if (!URL.canParse(`postgres://${text}`)) refuse(form)
  const { hostname, port } = new URL(`postgres://${text}`)
  return { host: decode(hostname.replace(/^\[(.*)\]$/, '$1')) || 'localhost', port: Number(port || 5432) }
}

/** The libpq options that we support. Each may be given once. */
const known = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'connect_timeout',
  'application_name',
  'options',
  'channel_binding',
  'gssencmode',
] as const
type GivenOptions = Partial<Record<(typeof known)[number], string>>

function optionsIn(query: string) {
  const given: GivenOptions = {}
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value, ...rest] = pair.split('=').map(decode)
    const option = known.find((option) => option === name)
    if (!option) refuse(`has an option that is not known here; known are ${known.join(', ')}`)
    else if (value === undefined || rest.length > 0 || option in given) refuse(`must have ${option}=value once`)
    else if (value) given[option] = value
  }
  for (const name of ['channel_binding', 'gssencmode'] as const)
    if (!['disable', 'prefer', undefined].includes(given[name])) refuse(`may have ${name}=disable or prefer only`)
  return given
}

/** The option `host` replaces the hosts in the authority. A single port applies to all hosts. */
function hostsOf({ host, port }: GivenOptions, hosts: { host: string; port: number }[]) {
  const names = host?.split(',') ?? hosts.map(({ host }) => host)
  const ports = port?.split(',').map((one) => Number(numberIn(one))) ?? hosts.map(({ port }) => port)
  if (port && ports.length > 1 && ports.length !== names.length) refuse('must have one port, or one for each host')
  const portOf = (n: number) => ports[n] ?? ports[0] ?? 5432
  const all = names.map((name, n) => ({ host: name || 'localhost', port: portOf(n) }))
  return all.length > 0 ? all : [{ host: 'localhost', port: portOf(0) }]
}

function targetOf(word = 'any') {
  const target = targets.find((target) => target === word)
  if (!target && word !== 'any') refuse(`must have a target_session_attrs of any, ${targets.join(', ')}`)
  return target
}

function numberIn(text = '') {
  if (!/^\d{0,5}$/.test(text) || Number(text) > 65_535) refuse('has a port or a connect_timeout that is no number')
  return text
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(form)
  }
}
