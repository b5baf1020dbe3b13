import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { type Address, DatabaseUnusable, localSettings, withClient } from '../plugins/database/index.ts'
import { changeIndexes, isConcurrent, withoutConcurrency } from './concurrent-indexes.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
const advisoryLock = 7_203_184_551 // arbitrary, but unique in this database

// All later queries on a table queue up behind a migration that waits for its lock, or for another lock while it has
// that one. So it waits for a tenth of a second in all, and for longer only after ten of those were not enough. It
// never waits for as long as Postgres' deadlock_timeout, so that a query that waits for it doesn't fail in its place.
const shortestWait = 0.1 // seconds
const shortWaits = 10
const longestWait = 0.7
const deadlines = { statement: 0, idleTransaction: 300, answer: 0 } // seconds
const reasonsToRetry: Record<string, string> = { '55P03': 'waits for a lock', '40P01': 'ran into a deadlock' }

/** The version before, and what it applied last. A database that lacks it is older, and may have what we can't read. */
const before = { version: '0.3.0', tag: '0032_removed_members' }

type Log = (line: string) => void
type Applied = { hash: string; when: string }

/**
 * Applies what is pending, each in a transaction of its own: one that kept the locks of all would deadlock with those
 * who use the tables. An empty database gets all of them in one, or it would look like that of an older version if this
 * process ended meanwhile. If several containers boot at once, they take turns. Throws DatabaseUnusable.
 */
export async function migrate(address: Address, log: Log, folder = migrationsFolder) {
  for (let tries = 1, wait = shortestWait; ; tries++) {
    if (tries > shortWaits) wait = Math.min(2 * wait, longestWait)
    try {
      return await withClient(address, (client) => applyPending(client, address, log, folder, wait), deadlines)
    } catch (error) {
      const reason = reasonsToRetry[codeOf(error)]
      if (!reason) throw error
      log(`A migration ${reason} in the database of ${address.variable} and tries again`)
      await sleep(1000) // for the queries that had to wait
    }
  }
}

async function applyPending(client: pg.Client, address: Address, log: Log, folder: string, wait: number) {
  const settings = localSettings({ ...deadlines, lock: wait }).join('; ')
  for (;;) {
    // The lock belongs to the transaction, so that a pooler cannot keep it.
    await client.query(`begin; ${settings}; select pg_advisory_xact_lock(${advisoryLock})`)
    await client.query(`
      create schema if not exists drizzle;
      create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
    const pending = await pendingMigrations(client, folder)
    const isEmpty = (await client.query('select from drizzle.__drizzle_migrations limit 1')).rowCount === 0
    for (const migration of isEmpty ? pending.map(withoutConcurrency) : pending.slice(0, 1)) {
      const { tag, hash, when, statements } = migration
      const applying = isConcurrent(migration)
        ? changeIndexes(client, address, statements, () => log(`Migration ${tag} still waits for older transactions`))
        : runStatements(client, statements, wait)
      await applying.catch((error) => {
        if (codeOf(error) in reasonsToRetry) throw error
        throw new DatabaseUnusable(`Migration ${tag} fails: ${error.message}. ${adviceFor(error, address)}`)
      })
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when])
    }
    await client.query('commit')
    if (pending.length === 0) return
  }
}

async function runStatements(client: pg.Client, statements: string[], wait: number) {
  const until = Date.now() + wait * 1000
  for (const statement of statements) {
    const lockMs = Math.max(50, until - Date.now())
    await client.query(`set local lock_timeout = ${lockMs}; ${statement}`)
  }
}

const codeOf = (error: unknown) => String((error as { code?: string }).code)

const advice =
  'If it is older than what this database has, `npm run db:merge` puts it last; in development, `npm run db:reset` ' +
  'begins with an empty database'

const adviceFor = (error: unknown, { user }: Address) =>
  codeOf(error) === '42501'
    ? `What another role made must belong to the role ${user}: alter … owner to ${user}`
    : advice

/**
 * The migrations that a database lacks, by hash, so that one merged in before a newer one is not forgotten. Those of
 * a newer version are ignored: it must be possible to return to this one.
 */
export async function pendingMigrations(client: pg.Client, folder = migrationsFolder) {
  const migrations = readMigrations(folder)
  const {
    rows: [row],
  } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as journal`)
  if (!row?.journal) return migrations
  const { rows: applied } = await client.query<Applied>(
    'select hash, created_at as when from drizzle.__drizzle_migrations',
  )
  const pending = migrations.filter(({ hash }) => !applied.some((other) => other.hash === hash))
  if (applied.length > 0 && pending.some(({ tag }) => tag === before.tag))
    throw new DatabaseUnusable(
      `The database is older than version ${before.version}: start ${before.version} first, then this version`,
    )
  for (const { tag, when } of pending)
    if (applied.some((other) => Number(other.when) === when))
      throw new DatabaseUnusable(`Migration ${tag} was changed after it had been applied: restore it. ${advice}`)
  return pending
}

export function readMigrations(folder = migrationsFolder) {
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8'))
  return readMigrationFiles({ migrationsFolder: folder }).map(
    ({ sql: statements, folderMillis: when, hash }, index) => ({
      tag: String(entries[index].tag),
      when,
      hash,
      statements,
    }),
  )
}
