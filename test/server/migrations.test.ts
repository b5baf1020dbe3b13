import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { addressOf } from '../helpers/address.ts'
import { createDatabase } from '../helpers/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

async function folderFor(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-migrations-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The project's migrations, and one more. */
async function withMigration(t: Test, statement: string) {
  const folder = await folderFor(t)
  await cp(join(root, 'drizzle/migrations'), folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8'))
  journal.entries.push({ idx: 999, version: '7', when: Date.now() * 2, tag: '0999_next', breakpoints: true })
  await writeFile(file, JSON.stringify(journal))
  await writeFile(join(folder, '0999_next.sql'), statement)
  return folder
}

t.test('a migration that waits for a lock lets requests through, and logs that it waits', async (t) => {
  const url = await createDatabase(t)
  const folder = await withMigration(t, 'alter table users add column later text')
  const db = postgres(url, { max: 4, onnotice() {} })
  t.teardown(() => db.end())
  const lines: string[] = []
  const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reader = db.begin(async (tx) => {
    await tx`select from users`
    reading.resolve()
    await read.promise
  })
  await reading.promise
  const log = (line: string) => lines.push(line)
  const migrated = migrate(addressOf(url), log, folder)
  while (lines.length < 2) await db`select from users`
  t.same(new Set(lines), new Set(['A migration waits for a lock in the database of DATABASE_URL and tries again']))
  read.resolve()
  await Promise.all([reader, migrated])
  t.equal((await db`select later from users`).columns.length, 1)
})

t.test('of several concurrent migrations one runs, and nothing stays locked', async (t) => {
  const url = await createDatabase(t)
  const folder = await withMigration(t, 'create table once (n int)')
  await Promise.all(Array.from({ length: 4 }, () => migrate(addressOf(url), () => {}, folder)))
  const db = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => db.end())
  t.equal((await db`select from once`).count, 0)
  // Other tests share the server.
  const locks = await db`
    select from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()`
  t.equal(locks.count, 0)
})

t.test('a migration waits for each lock for three seconds', async (t) => {
  const url = await createDatabase(t)
  const folder = await withMigration(t, "create table waits as select current_setting('lock_timeout') as lock")
  await migrate(addressOf(url), () => {}, folder)
  const db = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => db.end())
  t.same([...(await db`select lock from waits`)], [{ lock: '3s' }])
})

t.test('a failing migration leaves nothing of those before it', async (t) => {
  const url = await createDatabase(t)
  const folder = await withMigration(t, 'create table half (n int);\n--> statement-breakpoint\nselect 1 / 0')
  await t.rejects(
    migrate(addressOf(url), () => {}, folder),
    { message: /^Migration 0999_next fails: division by zero/ },
  )
  const db = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => db.end())
  await t.rejects(db`select from half`, { code: '42P01' })
})
