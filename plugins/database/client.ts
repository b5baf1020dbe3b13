import postgres from 'postgres'
import type { Address } from './address.ts'
import { type Deadlines, deadlines, forSession } from './deadlines.ts'

type Options = {
  /** Connections at most. */
  pool: number
  /** What the server is told who asks. */
  name?: string
  deadlines?: Partial<Deadlines>
}

/** A pool on the driver itself, which connects when it is first asked. */
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
    fetch_types: false, // no column is an array, so each connection may skip a query
    prepare: !pooled, // what is prepared on one connection would be asked for on another
    connect_timeout: address.connectTimeout ?? limits.connect,
    wait_timeout: limits.wait,
    answer_timeout: limits.answer,
    keep_alive: limits.keepAlive,
    backoff: (tries) => Math.min(tries / 10, 1), // seconds; else up to 20 pass before a database that is back is tried again
    onnotice: () => {},
  })
  if (!('answer_timeout' in client.options))
    throw new Error('postgres.js is not mended: install with `npm ci`, scripts included')
  return client
}
