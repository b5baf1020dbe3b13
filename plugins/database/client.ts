import postgres from 'postgres'
import type { Address } from './address.ts'
import { type Deadlines, deadlines, forSession } from './deadlines.ts'

type Options = {
  /** Maximum number of connections. */
  pool: number
  /** The application_name that the server shows. */
  name?: string
  deadlines?: Partial<Deadlines>
}

/** A connection pool of the bare driver. Connects on first use. */
export function openClient(address: Address, { pool, name = 'accounts', deadlines: others = {} }: Options) {
  const { hosts, path, user, password, database, tls, target, parameters, pooled } = address
  const limits = { ...deadlines, ...others }
  const client = postgres({
    host: hosts.map(({ host }) => host),
    port: hosts.map(({ port }) => port),
    ...(path ? { path } : {}),
    user,
    password,
    database,
    ssl: tls,
    ...(target ? { target_session_attrs: target } : {}),
    connection: { application_name: name, ...parameters },
    setup: pooled ? '' : forSession(limits),
    max: pool,
    fetch_types: false, // saves a query per connection, since no column is an array
    prepare: !pooled, // behind a pooler, the next query may run on another connection
    connect_timeout: address.connectTimeout ?? limits.connect,
    wait_timeout: limits.wait,
    answer_timeout: limits.answer,
    keep_alive: limits.keepAlive,
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; by default, the driver waits up to 20 before it tries again
    onnotice: () => {},
  })
  if (!('answer_timeout' in client.options))
    throw new Error('postgres.js is not mended: install with `npm ci`, scripts included')
  return client
}
