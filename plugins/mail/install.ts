import { createHash } from 'node:crypto'
import boss from 'pg-boss/package.json' with { type: 'json' }
import type postgres from 'postgres'
import type { Address, Deadlines } from '../database/index.ts'
import { deadSettings, sweepingSchedule, sweepingSettings, waitingSettings } from './settings.ts'

const wanted = createHash('sha256')
  .update(JSON.stringify([boss.version, waitingSettings, deadSettings, sweepingSettings, sweepingSchedule]))
  .digest('hex')

/**
 * The tables of pg-boss and our queues, as they have to be. What is there is written on the schema, because pg-boss itself is too slow to load at every boot.
 * The transaction is that of a lock, so that one process at a time installs.
 */
export async function installQueues(tx: postgres.TransactionSql, address: Address, deadlines: Partial<Deadlines>) {
  const [schema] = await tx`select obj_description(to_regnamespace('pgboss'), 'pg_namespace') as installed`
  if (schema?.installed === wanted) return
  const { createQueues } = await import('./queues.ts')
  await createQueues(address, deadlines)
  await tx.unsafe(`comment on schema pgboss is '${wanted}'`)
}
