import pg from 'pg'
import type { Address } from './address.ts'

/** Time limits in seconds, 0 for none. Each leaves enough time for those inside it. */
export const deadlines = {
  /** Connecting, and waiting for a connection of the pool. */
  connect: 5,
  lock: 5,
  statement: 10,
  idleTransaction: 15,
  /** A query without any response, whose host may have vanished. Its connection is closed. */
  answer: 15,
  request: 30,
}
export type Deadlines = typeof deadlines

type Options = { name?: string | undefined; deadlines?: Partial<Deadlines> | undefined }

function clientOptions(address: Address, { name = 'accounts', deadlines: others }: Options = {}) {
  const limits = { ...deadlines, ...others }
  const { host, port, user, password, database, ssl, options } = address
  return {
    ...{ host, port, user, password, database, ssl, options },
    application_name: address.applicationName ?? name,
    connectionTimeoutMillis: (address.connectSeconds ?? limits.connect) * 1000,
    query_timeout: limits.answer * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A pooler by transaction would give settings to the next user of the connection.
    ...(address.pooled ? {} : settingsOf(limits)),
  } satisfies pg.ClientConfig
}

const settingsOf = ({ statement, lock, idleTransaction }: Deadlines) => ({
  statement_timeout: statement * 1000,
  lock_timeout: lock * 1000,
  idle_in_transaction_session_timeout: idleTransaction * 1000,
})

export const localSettings = (limits: Partial<Deadlines> = {}) =>
  Object.entries(settingsOf({ ...deadlines, ...limits })).map(([name, value]) => `set local ${name} = ${value}`)

export function openPool(address: Address, { max, ...options }: Options & { max: number }) {
  const pool = new pg.Pool({ ...clientOptions(address, options), max, idleTimeoutMillis: 60_000 })
  // Without a listener, the error of a lost connection ends the process. Its queries fail by themselves.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export async function withClient<T>(address: Address, work: (client: pg.Client) => Promise<T>, options?: Options) {
  const client = new pg.Client(clientOptions(address, options))
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.end().catch(() => {}) // not awaited: a silent server would never confirm it
  }
}
