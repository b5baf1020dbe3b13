import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Address } from './address.ts'
import { openClient } from './client.ts'
import { type Deadlines, deadlines, forTransaction } from './deadlines.ts'
import { intercept } from './intercept.ts'
import { byIndex } from './planning.ts'
import { prepared } from './prepared.ts'
import { observe } from './queries.ts'
import { Semaphore } from './semaphore.ts'
import { begin } from './transactions.ts'

export type Database = ReturnType<typeof connect>

const lookupConnections = 2
const lookupsPerConnection = 50
const minForLookups = 4 // connections

/**
 * Drizzle on three connection pools. A commit waits for the disk and an update for locks: when one of them stalls,
 * writes soon occupy all their connections, but pages are still shown, because `select` outside of a transaction has
 * connections of its own. So has `lookups`, for the short queries that find out who is signed in: those of one moment
 * share a connection and are sent together, which saves a sixth of a page's processor time. Listening uses a separate
 * connection to the direct address.
 */
export function connect(address: Address, size: number, direct = address, others: Partial<Deadlines> = {}) {
  const open = (connections: number, perConnection = 1) =>
    openPool(address, connections, perConnection, { ...deadlines, ...others })
  const rest = size < minForLookups ? size : size - lookupConnections
  const forReads = Math.floor(rest / 4)
  const writes = open(rest - forReads)
  const reads = forReads > 0 ? open(forReads) : writes
  const lookups = rest < size ? open(lookupConnections, lookupsPerConnection) : writes

  const pools = [...new Set([writes, reads, lookups])]
  const total = (key: 'used' | 'waiting') => pools.reduce((sum, { stats }) => sum + stats()[key], 0)
  const db = Object.assign(writes.db, {
    select: reads.db.select.bind(reads.db) as typeof reads.db.select,
    lookups: lookups.db,
    clients: pools.map(({ client }) => client),
    /** Connections in use, and queries and transactions that wait for one. */
    stats: () => ({ used: total('used'), waiting: total('waiting') }),
  })
  begin(db, address.pooled ? forTransaction({ ...deadlines, ...others }) : undefined)
  for (const { client } of pools.slice(1)) endTogether(writes.client, client)
  if (direct !== address) listenAt(direct, writes.client)
  return db
}

/** A semaphore in front of the driver, which pipelines without a limit once all its connections are in use. */
function openPool(address: Address, size: number, perConnection: number, limits: Deadlines) {
  const client = openClient(address, { pool: size, deadlines: limits, setup: byIndex })
  const semaphore = new Semaphore(size * perConnection, limits.wait * 1000)
  intercept(client, (unsafe, [text, parameters, options], inTransaction) => {
    const query = unsafe(text, parameters, prepared(text, parameters, options))
    // `begin` sends its first statement with this option, and its transaction has a permit already.
    observe(query, inTransaction || 'onexecute' in options ? undefined : semaphore)
    return query
  })
  const begin = client.begin as (...args: unknown[]) => Promise<unknown>
  client.begin = ((...args: unknown[]) => semaphore.run(() => begin(...args))) as typeof client.begin
  const stats = () => {
    const { inUse, waiting } = semaphore.stats
    const used = Math.min(inUse, size)
    return { used, waiting: waiting + inUse - used }
  }
  return { client, stats, db: drizzle({ client, casing: 'snake_case' }) }
}

function listenAt(address: Address, client: postgres.Sql) {
  const direct = openClient(address, { pool: 1 })
  client.listen = direct.listen
  endTogether(client, direct)
}

function endTogether(client: postgres.Sql, other: postgres.Sql) {
  const { end } = client
  client.end = async (options) => {
    await Promise.all([end(options), other.end(options)])
  }
}
