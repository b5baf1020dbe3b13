import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getConstructionPlans } from 'pg-boss'
import type { Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import type { Address } from '../../plugins/database/index.ts'
import { addressOf } from './address.ts'
import { createDatabase } from './database.ts'
import { operatorOf } from './postgres.ts'

const migrations = fileURLToPath(new URL('../../drizzle/migrations', import.meta.url))
export const migrationsOf020 = 15
export const migrationsOf030 = 33

/** A database without any table, for the migrations of versions before. */
export async function emptyDatabase(t: Test, connections = 1) {
  const url = await createDatabase(t)
  const sql = operatorOf(t, url, connections)
  await sql.unsafe('drop schema public, pgboss, drizzle cascade; create schema public')
  return { url, sql }
}

/** Applies the first of our migrations, or all but the last few, as a version before did. */
export async function migrateUntil(t: Test, address: Address, end: number) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-migrations-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await cp(migrations, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
  await migrate(address, () => {}, folder)
}

/** A database as 0.3.0 left it, with what a dump of it has. */
export async function databaseOf030(t: Test, dump: URL) {
  const { url, sql } = await emptyDatabase(t)
  await migrateUntil(t, addressOf(url), migrationsOf030)
  await sql.unsafe(getConstructionPlans())
  await sql.unsafe(await readFile(dump, 'utf8'))
  return { url, sql }
}
