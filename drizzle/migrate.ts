import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { type Address, type Deadlines, forTransaction, openClient } from '../plugins/database/index.ts'
import { installQueues } from '../plugins/queues/install.ts'
import type { QueueProfile } from '../plugins/queues/settings.ts'
import { type Applied, migrationsFolder, pendingIn, readMigrations } from './journal.ts'

const advisoryLock = 7_203_184_551 // arbitrary, but unique in this database

// Statements may take long, but waiting for a lock may not: all later queries on the table, including those of users,
// queue up behind the migration. In seconds, 0 for no limit.
const limits = { statement: 0, lock: 3, idleTransaction: 300, answer: 0, wait: 0 }
const retryMs = 1000 // for the queries that had to wait

type Log = (line: string) => void
type Given = { folder?: string; deadlines?: Partial<Deadlines> }

/**
 * Migrates the database. If several containers boot at once, the first one migrates, and the others wait and find
 * nothing to do.
 */
export const migrate = (address: Address, log: Log, { folder = migrationsFolder, deadlines = {} }: Given = {}) =>
  alone(address, (tx) => runMigrations(tx, folder), log, { ...limits, ...deadlines })

/** The same for the mail queue, which may be in another database. */
export const migrateQueue = (address: Address, log: Log, profile: QueueProfile = 'postgres') =>
  alone(address, (tx) => installQueues(tx, { address, profile, deadlines: limits, log }), log, limits)

type Work = (tx: postgres.TransactionSql) => Promise<unknown>

/** The advisory lock belongs to the transaction, so a pooler cannot leak it. */
async function alone(address: Address, work: Work, log: Log, deadlines: typeof limits) {
  const client = openClient(address, { pool: 1, name: 'accounts migration', deadlines })
  try {
    while (!(await succeeds(client, work, forTransaction(deadlines)))) {
      log(`A migration waits for a lock in the database of ${address.variable} and tries again`)
      await sleep(retryMs)
    }
  } finally {
    await client.end({ timeout: 1 })
  }
}

const lockTimedOut = '55P03'

async function succeeds(client: postgres.Sql, work: Work, first: string) {
  try {
    await client.begin(async (tx) => {
      await tx.unsafe(first)
      await tx`select pg_advisory_xact_lock(${advisoryLock})`
      await work(tx)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === lockTimedOut) return false
    throw error
  }
}

/** Like Drizzle's own migrator, but by hash, and inside an existing transaction: all migrations or none. */
async function runMigrations(tx: postgres.TransactionSql, folder: string) {
  const applied = await appliedIn(tx)
  if (!applied)
    await tx.unsafe(`
      create schema if not exists drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  for (const { hash, when, statements } of pendingIn(readMigrations(folder), applied ?? [])) {
    for (const statement of statements) await tx.unsafe(statement)
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`
  }
}

/** The migrations that a database waits for, without applying them. Throws if they cannot be applied. */
export async function pendingMigrations(client: postgres.Sql) {
  return pendingIn(readMigrations(), (await appliedIn(client)) ?? [])
}

/** Undefined before the first migration. */
async function appliedIn(client: postgres.Sql | postgres.TransactionSql) {
  const [row] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`
  if (!row?.isThere) return undefined
  return client<Applied[]>`select hash, created_at::float8 as when from drizzle.__drizzle_migrations`
}
