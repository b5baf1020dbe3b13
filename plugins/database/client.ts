import postgres from 'postgres'
import type { Address } from './address.ts'
import { type Deadlines, deadlines, settingsOf } from './deadlines.ts'

type Options = {
  /** Maximum number of connections. */
  pool: number
  /** The application_name that the server shows. */
  name?: string
  deadlines?: Partial<Deadlines>
  /** More settings of Postgres. */
  settings?: Record<string, string>
}

/** A connection pool of the bare driver. Connects on first use. */
export function openClient(address: Address, { pool, name = 'accounts', deadlines: others = {}, settings }: Options) {
  const { hosts, path, user, password, database, tls, target, parameters, pooled } = address
  const limits = { ...deadlines, ...others }
  // Poolers by transaction would give them to whoever uses the connection next.
  const own = pooled ? [] : Object.entries({ ...settingsOf(limits), ...settings })
  const options = [parameters.options, ...own.map(([name, value]) => `-c ${name}=${value}`)].filter(Boolean).join(' ')
  // The types of the driver know neither several hosts nor the options of patches/.
  const untyped: object = {
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    answer_timeout: limits.answer,
  }
  const client = postgres({
    ...untyped,
    ...(path ? { path } : {}),
    user,
    password,
    database,
    ssl: tls,
    ...(target ? { target_session_attrs: target } : {}),
    connection: { application_name: name, ...parameters, options },
    max: pool,
    fetch_types: false, // saves a query per connection, since no column is an array
    prepare: !pooled, // behind a pooler, the next query may run on another connection
    connect_timeout: address.connectTimeout ?? limits.connect,
    keep_alive: limits.keepAlive,
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; by default, the driver waits up to 20 before it tries again
    onnotice: () => {},
  })
  if (!('answer_timeout' in client.options))
    throw new Error('postgres.js is not patched: install with `npm ci`, scripts included')
  return client
}
