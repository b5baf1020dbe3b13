import { drizzle } from 'drizzle-orm/postgres-js'
import { Semaphore } from '../semaphore.ts'
import type { Address } from './address.ts'
import { openClient } from './client.ts'
import { type Deadlines, deadlines, forTransaction, poolTimeout } from './deadlines.ts'
import { observe } from './queries.ts'
import { extendTransactions } from './transactions.ts'

export type Database = ReturnType<typeof connect>

const lookupConnections = 2
const lookupsPerConnection = 50
const minForLookups = 4 // connections

/**
 * All statements here look up a few rows, but one that is kept prepared keeps its plan: made while a table is small, as
 * all are at first, that plan scans the table however much it grows, until the next analyze. JIT compiles what looks
 * expensive, as a scan without an alternative does to older versions.
 */
const byIndex = { enable_seqscan: 'off', jit: 'off' }

/**
 * Drizzle on three connection pools. A commit waits for the disk and an update for locks: when one of them stalls,
 * writes soon occupy all their connections, but pages are still shown, because `select` outside of a transaction has
 * connections of its own. So has `lookups`, for the short queries that find out who is signed in: those of one moment
 * share a connection and are sent together, which saves a sixth of a page's processor time. Listening uses a separate
 * connection to the direct address.
 */
export function connect(address: Address, size: number, direct = address, others: Partial<Deadlines> = {}) {
  const limits = { ...deadlines, ...others }
  const open = (connections: number, perConnection?: number) => openPool(address, limits, connections, perConnection)
  const rest = size < minForLookups ? size : size - lookupConnections
  const forReads = Math.floor(rest / 4)
  const writes = open(rest - forReads)
  const reads = forReads > 0 ? open(forReads) : writes
  const lookups = rest < size ? open(lookupConnections, lookupsPerConnection) : writes

  const pools = [...new Set([writes, reads, lookups])]
  const clients = pools.map(({ client }) => client)
  const total = (key: 'used' | 'waiting') => pools.reduce((sum, { stats }) => sum + stats()[key], 0)
  const db = Object.assign(writes.db, {
    select: reads.db.select.bind(reads.db) as typeof reads.db.select,
    lookups: lookups.db,
    clients,
    /** Connections in use, and queries and transactions that wait for one. */
    stats: () => ({ used: total('used'), waiting: total('waiting') }),
  })
  extendTransactions(db, address.pooled ? forTransaction(limits) : undefined)

  const listening = direct === address ? [] : [openClient(direct, { pool: 1 })]
  for (const { listen } of listening) db.$client.listen = listen
  const ends = [...clients, ...listening].map(({ end }) => end)
  db.$client.end = async (options) => void (await Promise.all(ends.map((end) => end(options))))
  return db
}

/** A semaphore in front of the driver, which pipelines without a limit once all its connections are in use. */
function openPool(address: Address, limits: Deadlines, size: number, perConnection = 1) {
  const client = openClient(address, { pool: size, deadlines: limits, settings: byIndex })
  const semaphore = new Semaphore(size * perConnection, limits.wait * 1000, poolTimeout)
  observe(client, semaphore)
  const stats = () => {
    const { inUse, waiting } = semaphore.stats
    return { used: Math.min(inUse, size), waiting: waiting + Math.max(inUse - size, 0) }
  }
  return { client, stats, db: drizzle({ client, casing: 'snake_case' }) }
}
