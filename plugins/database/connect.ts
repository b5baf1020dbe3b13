import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Address } from './address.ts'
import { openClient } from './client.ts'
import { observe } from './counting.ts'
import { type Deadlines, deadlines, forTransaction } from './deadlines.ts'
import { leasesOf, type Use } from './leases.ts'
import { prepared } from './prepared.ts'
import { through } from './through.ts'
import { begin } from './transactions.ts'

export type Database = ReturnType<typeof connect>

const forLookups = 2
const fewest = 4 // connections of a pool that is large enough to be divided

/**
 * Drizzle on a connection pool. `lookups` has two of its connections to itself, for the short queries that find out who
 * is asking. Those of one moment share a connection and are sent together, which saves a sixth of a page's processor
 * time, and they never wait behind anything slow. Listening uses a separate connection to the direct address.
 */
export function connect(address: Address, pool: number, direct = address, others: Partial<Deadlines> = {}) {
  const apart = pool < fewest ? 0 : forLookups
  const main = open(address, pool - apart, others)
  const lookups = apart === 0 ? main : open(address, apart, others)
  const both = new Set([main, lookups])
  const db = Object.assign(main.db, { lookups: lookups.db, use: () => sum(Array.from(both, ({ use }) => use())) })
  begin(db, address.pooled ? forTransaction({ ...deadlines, ...others }) : undefined)
  if (lookups !== main) endTogether(main.client, lookups.client)
  if (direct !== address) listenAt(direct, main.client)
  return db
}

function open(address: Address, pool: number, others: Partial<Deadlines>) {
  const client = openClient(address, { pool, deadlines: others })
  const leases = leasesOf(client, pool, others.wait ?? deadlines.wait)
  through(client, (unsafe, [text, parameters, options], inTransaction) => {
    const query = unsafe(text, parameters, prepared(text, parameters, options))
    // `begin` sends its first statement with this option, and its transaction has a lease already.
    const isLeased = inTransaction || 'onexecute' in options
    observe(query, isLeased ? undefined : onlyReads(text) ? leases.reading : leases.writing)
    return query
  })
  return { client, use: leases.use, db: drizzle({ client, casing: 'snake_case' }) }
}

const onlyReads = (text: string) => /^\s*select\b/i.test(text)

const sum = (uses: Use[]): Use => ({
  used: uses.reduce((all, { used }) => all + used, 0),
  waiting: uses.reduce((all, { waiting }) => all + waiting, 0),
})

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
