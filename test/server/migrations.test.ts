import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { cloneProject } from '../helpers/clone.ts'
import { runCommand } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { emptyDatabase } from '../helpers/versions.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const journalFile = 'drizzle/migrations/meta/_journal.json'

type Written = { tag: string; when: number; sql: string }
const first = { tag: '0000_first', when: 1, sql: 'create table first (id int primary key)' }
const ours = { tag: '0001_ours', when: 2, sql: 'create table ours (first_id int references first (id))' }
const theirs = { tag: '0002_theirs', when: 3, sql: 'create table theirs (first_id int references first (id))' }
const next = (...statements: string[]) => ({
  tag: '0999_next',
  when: Date.now() * 2,
  sql: statements.join(';\n--> statement-breakpoint\n'),
})

/** A folder with these migrations and no others. */
async function folderOf(t: Test, written: Written[]) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-migrations-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const entries = written.map(({ tag, when }, idx) => ({ idx, version: '7', when, tag, breakpoints: true }))
  await cp(join(root, 'drizzle/migrations/meta'), join(folder, 'meta'), { recursive: true })
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  for (const { tag, sql } of written) await writeFile(join(folder, `${tag}.sql`), sql)
  return folder
}

/** A database with all tables, of which these tests know all migrations. */
async function open(t: Test) {
  const url = await createDatabase(t)
  const sql = operatorOf(t, url, 4)
  await sql`update drizzle.__drizzle_migrations set hash = 'another', created_at = 0` // an empty one gets all at once
  const lines: string[] = []
  const applyAt = async (url: string, ...written: Written[]) =>
    migrate(addressOf(url), (line) => lines.push(line), await folderOf(t, written))
  return {
    url,
    sql,
    lines,
    applyAt,
    apply: (...written: Written[]) => applyAt(url, ...written),
    /** Once a migration holds the table. */
    async untilHeld(table: string, mode = 'AccessExclusiveLock') {
      const held = () => sql`
        select from pg_locks where relation = ${table}::regclass and mode = ${mode} and granted`
      while ((await held()).length === 0) await sleep(5)
    },
    has: async (table: string) => (await sql`select to_regclass(${table}) is not null as has`)[0]?.has,
  }
}

t.test('a migration that waits for a lock lets requests through, and logs that it waits', async (t) => {
  const { sql, lines, apply } = await open(t)
  const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reader = sql.begin(async (tx) => {
    await tx`select from users`
    reading.resolve()
    await read.promise
  })
  await reading.promise
  const migrated = apply(next('alter table users add column later text'))
  while (lines.length < 2) await sql`select from users`
  t.same(new Set(lines), new Set(['A migration waits for a lock in the database of DATABASE_URL and tries again']))
  read.resolve()
  await Promise.all([reader, migrated])
  t.equal((await sql`select later from users`).columns.length, 1)
})

t.test('of several concurrent migrations one runs, and nothing stays locked', async (t) => {
  const { sql, apply, has } = await open(t)
  const once = next('create table once (n int)')
  await Promise.all(Array.from({ length: 4 }, () => apply(once)))
  t.equal(await has('once'), true)
  // Other tests share the server.
  const locks = await sql`
    select from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()`
  t.equal(locks.count, 0)
})

t.test('a migration gives up before a query that waits for it would fail in a deadlock', async (t) => {
  const { sql, lines, apply, untilHeld } = await open(t)
  const client = Promise.withResolvers<void>()
  const reading = sql.begin(async (tx) => {
    await tx`lock accounts in row exclusive mode`
    client.resolve()
    await untilHeld('users')
    await tx`select from users`
  })
  await client.promise
  await Promise.all([reading, apply(next('alter table users add later int', 'alter table accounts add later int'))])
  t.same(new Set(lines), new Set(['A migration waits for a lock in the database of DATABASE_URL and tries again']))
  t.equal((await sql`select users.later, accounts.later from users, accounts`).columns.length, 2)
})

t.test('a migration that fails in a deadlock is tried again', async (t) => {
  const { sql, lines, apply, untilHeld } = await open(t)
  await sql`create sequence tries`
  const untilAnotherWaits = `do $$ begin
    if nextval('tries') > 1 then return; end if;
    while not exists (select from pg_locks where relation = 'users'::regclass and not granted)
    loop perform pg_sleep(0.01); end loop;
  end $$`
  const client = Promise.withResolvers<void>()
  const writing = sql.begin(async (tx) => {
    await tx`lock users in row share mode`
    client.resolve()
    await untilHeld('users', 'ShareLock')
    await tx`lock users in row exclusive mode`
  })
  await client.promise
  const stronger = 'alter table users add later int'
  await Promise.all([writing, apply(next('lock users in share mode', untilAnotherWaits, stronger))])
  t.equal(lines[0], 'A migration ran into a deadlock in the database of DATABASE_URL and tries again')
  t.equal((await sql`select later from users`).columns.length, 1)
})

t.test('each migration commits by itself: one that fails leaves those before it, and nothing of its own', async (t) => {
  const { apply, has } = await open(t)
  const half = next('create table half (n int)', 'select 1 / 0')
  await t.rejects(apply(first, half), { message: /^Migration 0999_next fails: division by zero/ })
  t.same([await has('first'), await has('half')], [true, false])
})

t.test('an empty database gets all migrations or none, or it would look like one of an older version', async (t) => {
  const { url, sql } = await emptyDatabase(t)
  const apply = async (...written: Written[]) => migrate(addressOf(url), t.comment, await folderOf(t, written))
  const tables = () => sql`select from pg_class where relname in ('first', 'beside')`
  await t.rejects(apply(first, next('select 1 / 0')), { message: /^Migration 0999_next fails: division by zero/ })
  t.equal((await tables()).length, 0)
  await apply(first, next('create index concurrently if not exists "beside" on "first" ("id")'))
  t.equal((await tables()).length, 2)
})

t.test('where a migration may not change what another role made, the line names both and the mend', async (t) => {
  const { url, sql, applyAt } = await open(t)
  const role = new URL(url).pathname.slice(1)
  await sql.unsafe(`
    create role "${role}" login password 'guest';
    grant all on schema public, drizzle to "${role}";
    grant create on database "${role}" to "${role}";
    grant all on all tables in schema drizzle to "${role}";
    create function made() returns int return 1`)
  t.teardown(() => sql.unsafe(`drop owned by "${role}"; drop role "${role}"`))
  const guest = Object.assign(new URL(url), { username: role, password: 'guest' }).href
  await t.rejects(applyAt(guest, next('create or replace function made() returns int return 2')), {
    message:
      'Migration 0999_next fails: must be owner of function made. ' +
      `What another role made must belong to the role ${role}: alter … owner to ${role}`,
  })
})

t.test('a concurrent index waits for those who write, and nobody waits for it', async (t) => {
  const { sql, lines, apply } = await open(t)
  const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const insert = (tx: typeof sql, email: string) => tx`insert into users (name, email) values ('Ana', ${email})`
  const writer = sql.begin(async (tx) => {
    await insert(tx as unknown as typeof sql, 'ana@example.com')
    writing.resolve()
    await written.promise
  })
  await writing.promise
  const created = [1, 2].map(() => apply(next('create index concurrently if not exists "slowly" on "users" ("name")')))
  const waits =
    () => sql`select from pg_stat_activity where query like 'create index conc%' and wait_event_type = 'Lock'
    and datname = current_database()`
  while ((await waits()).length === 0) await sleep(5)
  await insert(sql, 'ben@example.com')
  while (!lines.some((line) => line.includes('waits for a lock'))) await sleep(5) // the other container
  written.resolve()
  await Promise.all([writer, ...created])
  t.same(
    [...(await sql`select indisvalid from pg_index where indexrelid = 'slowly'::regclass`)],
    [{ indisvalid: true }],
  )
})

t.test('a concurrent index whose creation was interrupted is made anew', async (t) => {
  const { sql, apply } = await open(t)
  await sql`insert into users (name, email) values ('Ana', 'ana@example.com'), ('Ana', 'ben@example.com')`
  const unique = next('create unique index concurrently if not exists "one_name" on "users" ("name")')
  await t.rejects(apply(unique), { message: /^Migration 0999_next fails: could not create unique index "one_name"/ })
  await sql`delete from users where email = 'ben@example.com'`
  await apply(unique)
  t.same(
    [...(await sql`select indisvalid from pg_index where indexrelid = 'one_name'::regclass`)],
    [{ indisvalid: true }],
  )
  await t.rejects(
    apply({ ...unique, sql: `create table beside ();\n--> statement-breakpoint\n${unique.sql}`, when: 5 }),
    {
      message: 'Migration 0999_next has more than concurrent indexes: give these a migration of their own',
    },
  )
})

t.test('a migration that was merged in before an applied one is applied too', async (t) => {
  const { apply, has } = await open(t)
  await apply(first, theirs)
  t.equal(await has('ours'), false)
  await apply(first, ours, theirs)
  t.equal(await has('ours'), true)
})

t.test('a migration that moved to the end is not applied again', async (t) => {
  const { apply, has } = await open(t)
  await apply(first, ours)
  await apply(first, theirs, { ...ours, tag: '0003_ours', when: 4 })
  t.equal(await has('theirs'), true)
})

t.test('an applied migration that was edited refuses to boot', async (t) => {
  const { apply } = await open(t)
  await apply(first, ours)
  await t.rejects(apply(first, { ...ours, sql: 'create table ours (other int)' }), {
    message: /^Migration 0001_ours was changed after it had been applied: restore it\. .*npm run db:reset/,
  })
})

t.test('a previous version boots on a newer database', async (t) => {
  const { apply, has } = await open(t)
  await apply(first, theirs)
  await apply(first)
  t.equal(await has('theirs'), true)
})

t.test('a migration that does not fit what the database has already is one line with the mend', async (t) => {
  const { apply } = await open(t)
  await apply(first, theirs, { ...ours, sql: 'create table others ()' })
  const late = { ...ours, when: 2.5, sql: 'alter table theirs rename to others; create table theirs ()' }
  await t.rejects(apply(first, late, theirs), {
    message: /^Migration 0001_ours fails: relation "others" already exists\. .*npm run db:merge.*npm run db:reset/,
  })
})

t.test('/up/ready and `npm run check` say when a migration is missing', async (t) => {
  const url = await createDatabase(t)
  const { app } = await startApp(t, { DATABASE_URL: url })
  const newest = JSON.parse(await readFile(join(root, journalFile), 'utf8')).entries.at(-1)
  const check = () => runCommand('check', { DATABASE_URL: url })
  t.match((await check()).out, /^ok +migrations: all of this version are applied$/m)
  t.equal((await app.inject('/up/ready')).statusCode, 200)

  await app.db.execute(`delete from drizzle.__drizzle_migrations where created_at = ${newest.when}`)
  t.match((await check()).out, new RegExp(`^warning +migrations: the next start applies ${newest.tag}$`, 'm'))
  t.match((await app.inject('/up/ready')).json(), { status: 'unready', reason: 'database' })

  await app.db.execute(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('edited', ${newest.when})`)
  const { code, out } = await check()
  t.match(out, new RegExp(`^FAILED +migrations: Migration ${newest.tag} was changed`, 'm'))
  t.equal(code, 1)
})

t.test(
  '`npm run db:generate` makes indexes beside the traffic, and refuses a journal that lacks a migration',
  async (t) => {
    const { folder, read, write } = await cloneProject(t)
    const generate = () =>
      promisify(execFile)(join(root, 'node_modules/.bin/node'), ['development/generate.ts', '--name', 'later'], {
        cwd: folder,
      })
    const schema = 'drizzle/tables/counters.ts'
    const original = await read(schema)
    const column = original.replace('hits: integer().notNull(),', 'hits: integer().notNull(), later: integer(),')
    await write(schema, column.replace('(table) => [index()', '(table) => [index().on(table.later), index()'))
    const { stdout } = await generate()
    const [added = '', indexes = ''] = Array.from(stdout.matchAll(/^(\S+\.sql): read it/gm), ([, name]) => name)
    t.equal(await read(added), 'ALTER TABLE "rate_limits" ADD COLUMN "later" integer;\n')
    t.match(indexes, /_later_indexes\.sql$/)
    t.match(
      await read(indexes),
      /^CREATE INDEX CONCURRENTLY IF NOT EXISTS "rate_limits_later_index" ON "rate_limits" .*\n$/,
    )
    await write(schema, column)
    await generate()
    const written = JSON.parse(await read(journalFile))
    const last = written.entries.at(-1)
    t.equal(
      await read(`drizzle/migrations/${last.tag}.sql`),
      'DROP INDEX CONCURRENTLY IF EXISTS "rate_limits_later_index";\n',
    )
    const url = await createDatabase(t)
    await migrate(addressOf(url), () => {}, join(folder, 'drizzle/migrations'))

    await write(journalFile, JSON.stringify({ ...written, entries: written.entries.slice(0, -1) }))
    await write(schema, original)
    const snapshot = `meta/${last.tag.slice(0, 4)}_snapshot.json`
    const before = await read(`drizzle/migrations/${snapshot}`)
    await t.rejects(generate(), {
      code: 1,
      stderr: [
        `${journalFile} and the files of drizzle/migrations don't belong together, so nothing was generated.`,
        `  ${last.tag}.sql is not in the journal: restore its entry, or delete it if it is not wanted`,
        `  ${snapshot} is not in the journal: restore its entry, or delete it if it is not wanted`,
        '',
      ].join('\n'),
    })
    t.equal(await read(`drizzle/migrations/${snapshot}`), before)
  },
)

t.test('`npm run db:merge` merges the migrations of two branches', async (t) => {
  const { folder, git, read, write } = await cloneProject(t)
  const npx = (name: string, ...args: string[]) =>
    promisify(execFile)(join(root, 'node_modules/.bin', name), args, { cwd: folder })
  const commit = async (message: string) => {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', message)
  }
  await commit('Start')
  await git('checkout', '--quiet', '-b', 'ours')

  const schema = 'drizzle/tables/counters.ts'
  const original = await read(schema)
  const table = (name: string) => `export const ${name} = pgTable('${name}', { id: integer() })\n\n`
  await write(schema, `${original}\n${table('ours')}`)
  await npx('drizzle-kit', 'generate', '--name', 'ours')
  await commit('Ours')
  await git('checkout', '--quiet', 'main')
  await write(schema, original.replace('export const', `${table('theirs')}export const`))
  await npx('drizzle-kit', 'generate', '--name', 'theirs')
  await commit('Theirs')
  await git('checkout', '--quiet', 'ours')
  await t.rejects(git('merge', 'main'), 'git cannot merge two journals')

  await npx('node', 'development/merge-migrations.ts')
  await commit('Merge')
  const { entries } = JSON.parse(await read(journalFile))
  const names = entries.slice(-2).map(({ tag }: { tag: string }) => tag.slice(5))
  t.same(names, ['theirs', 'ours'])

  const url = await createDatabase(t)
  await migrate(addressOf(url), () => {}, join(folder, 'drizzle/migrations'))
  t.equal((await operatorOf(t, url)`select from theirs, ours`).count, 0)

  t.match((await npx('drizzle-kit', 'generate')).stdout, 'No schema changes')
})
