import { drizzle } from 'drizzle-orm/postgres-js'
import type { Address } from './address.ts'
import { openClient } from './client.ts'
import { observe } from './counting.ts'
import { type Deadlines, deadlines, forTransaction } from './deadlines.ts'
import { leasesOf } from './leases.ts'
import { prepared } from './prepared.ts'
import { through } from './through.ts'
import { begin } from './transactions.ts'

export type Database = ReturnType<typeof connect>

/** Drizzle on a connection pool. Listening uses a separate connection to the direct address. */
export function connect(address: Address, pool: number, direct = address, others: Partial<Deadlines> = {}) {
  const client = openClient(address, { pool, deadlines: others })
  const leases = leasesOf(client, pool)
  through(client, (unsafe, [text, parameters, options], inTransaction) => {
    const query = unsafe(text, parameters, prepared(parameters, options))
    // `begin` sends its first statement with this option, and its transaction has a lease already.
    observe(query, inTransaction || 'onexecute' in options ? undefined : leases)
    return query
  })
  const db = Object.assign(drizzle({ client, casing: 'snake_case' }), { use: leases.use })
  begin(db, address.pooled ? forTransaction({ ...deadlines, ...others }) : undefined)
  if (direct !== address) listenAt(direct, client)
  return db
}

function listenAt(address: Address, client: ReturnType<typeof openClient>) {
  const direct = openClient(address, { pool: 1 })
  const { end } = client
  client.listen = direct.listen
  client.end = async (options) => {
    await Promise.all([end(options), direct.end(options)])
  }
}
