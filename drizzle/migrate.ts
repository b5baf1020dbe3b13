import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { type Address, DatabaseUnusable, localSettings, withClient } from '../plugins/database/index.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
const advisoryLock = 7_203_184_551 // arbitrary, but unique in this database

// Waiting for a lock may not take long: all later queries on the table queue up behind the migration.
const deadlines = { statement: 0, lock: 3, idleTransaction: 300, answer: 0 } // seconds
const lockTimedOut = '55P03'

type Log = (line: string) => void
type Applied = { hash: string; when: string }

/**
 * Migrates in one transaction. The lock belongs to it, so that a pooler cannot keep it. If several containers boot at
 * once, the others wait and find nothing to do. Throws DatabaseUnusable.
 */
export async function migrate(address: Address, log: Log, folder = migrationsFolder) {
  for (;;) {
    try {
      return await withClient(address, (client) => runMigrations(client, folder), deadlines)
    } catch (error) {
      if ((error as { code?: string }).code !== lockTimedOut) throw error
      log(`A migration waits for a lock in the database of ${address.variable} and tries again`)
      await sleep(1000) // for the queries that had to wait
    }
  }
}

async function runMigrations(client: pg.Client, folder: string) {
  await client.query(`begin; ${localSettings(deadlines).join('; ')}; select pg_advisory_xact_lock(${advisoryLock})`)
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  for (const { tag, hash, when, statements } of await pendingMigrations(client, folder)) {
    for (const statement of statements) {
      await client.query(statement).catch((error) => {
        if (error.code === lockTimedOut) throw error
        throw new DatabaseUnusable(`Migration ${tag} fails: ${error.message}. ${advice}`)
      })
    }
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when])
  }
  await client.query('commit')
}

const advice =
  'If it is older than what this database has, `npm run db:merge` puts it last; in development, `npm run db:reset` ' +
  'begins with an empty database'

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
