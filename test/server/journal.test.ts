import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { migrate } from '../../drizzle/migrate.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { runCommand } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

async function folderFor(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-journal-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type Written = { tag: string; when: number; sql: string }

/** A folder with these migrations and no others. */
async function journalOf(t: Test, ...written: Written[]) {
  const folder = await folderFor(t)
  const entries = written.map(({ tag, when }, idx) => ({ idx, version: '7', when, tag, breakpoints: true }))
  await cp(join(root, 'drizzle/migrations/meta'), join(folder, 'meta'), { recursive: true })
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  for (const { tag, sql } of written) await writeFile(join(folder, `${tag}.sql`), sql)
  return folder
}

/** A database of which these tests know all migrations. */
async function open(t: Test) {
  const url = await createDatabase(t)
  const sql = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => sql.end())
  await sql`delete from drizzle.__drizzle_migrations`
  return {
    sql,
    apply: (folder: string) => migrate(addressOf(url), () => {}, folder),
    has: async (table: string) => (await sql`select to_regclass(${table}) is not null as has`)[0]?.has,
  }
}

const first = { tag: '0000_first', when: 1, sql: 'create table first (id int primary key)' }
const ours = { tag: '0001_ours', when: 2, sql: 'create table ours (first_id int references first (id))' }
const theirs = { tag: '0002_theirs', when: 3, sql: 'create table theirs (first_id int references first (id))' }

t.test('a migration that was merged in before an applied one is applied too', async (t) => {
  const { apply, has } = await open(t)
  await apply(await journalOf(t, first, theirs))
  t.equal(await has('ours'), false)
  await apply(await journalOf(t, first, ours, theirs))
  t.equal(await has('ours'), true)
})

t.test('a migration that moved to the end is not applied again', async (t) => {
  const { apply, has } = await open(t)
  await apply(await journalOf(t, first, ours))
  await apply(await journalOf(t, first, theirs, { ...ours, tag: '0003_ours', when: 4 }))
  t.equal(await has('theirs'), true)
})

t.test('an applied migration that was edited refuses to boot', async (t) => {
  const { apply } = await open(t)
  await apply(await journalOf(t, first, ours))
  const edited = { ...ours, sql: 'create table ours (other int)' }
  await t.rejects(apply(await journalOf(t, first, edited)), {
    message: /^Migration 0001_ours was changed after it had been applied: restore it\. .*npm run db:reset/,
  })
})

t.test('a previous version boots on a newer database', async (t) => {
  const { apply, has } = await open(t)
  await apply(await journalOf(t, first, theirs))
  await apply(await journalOf(t, first))
  t.equal(await has('theirs'), true)
})

t.test('a migration that does not fit what the database has already is one line with the mend', async (t) => {
  const { apply } = await open(t)
  await apply(await journalOf(t, first, theirs))
  const late = { ...ours, sql: 'alter table theirs rename to others; create table theirs ()' }
  await apply(await journalOf(t, first, theirs, { ...ours, sql: 'create table others ()' }))
  await t.rejects(apply(await journalOf(t, first, { ...late, when: 2.5 }, theirs)), {
    message: /^Migration 0001_ours fails: relation "others" already exists\. .*npm run db:merge.*npm run db:reset/,
  })
})

t.test('/up/ready and `npm run check` say when a migration is missing', async (t) => {
  const url = await createDatabase(t)
  const { app } = await startApp(t, { DATABASE_URL: url })
  const { entries } = JSON.parse(await readFile(join(root, 'drizzle/migrations/meta/_journal.json'), 'utf8'))
  t.match((await runCommand('check', { DATABASE_URL: url })).out, /^ok +migrations: all of this version are applied$/m)
  t.equal((await app.inject('/up/ready')).statusCode, 200)

  const newest = entries.at(-1)
  await app.db.execute(`delete from drizzle.__drizzle_migrations where created_at = ${newest.when}`)
  const { out } = await runCommand('check', { DATABASE_URL: url })
  t.match(out, new RegExp(`^warning +migrations: the next start applies ${newest.tag}$`, 'm'))
  t.match((await app.inject('/up/ready')).json(), { status: 'unready', reason: 'database' })

  await app.db.execute(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('edited', ${newest.when})`)
  const refused = await runCommand('check', { DATABASE_URL: url })
  t.match(refused.out, new RegExp(`^FAILED +migrations: Migration ${newest.tag} was changed`, 'm'))
  t.equal(refused.code, 1)
})

t.test('`npm run db:merge` merges the migrations of two branches', async (t) => {
  const folder = await folderFor(t)
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], { cwd: folder })
  const npx = (name: string, ...args: string[]) => run(join(root, 'node_modules/.bin', name), args, { cwd: folder })
  for (const name of ['drizzle', 'development', 'drizzle.config.ts', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const schema = join(folder, 'drizzle/tables/records.ts')
  const commit = async (message: string) => {
    await git('add', 'drizzle', 'development', 'package.json', 'drizzle.config.ts')
    await git('commit', '--quiet', '--message', message)
  }
  await git('init', '--quiet', '--initial-branch=main')
  await commit('Start')
  await git('checkout', '--quiet', '-b', 'ours')

  const original = await readFile(schema, 'utf8')
  await writeFile(schema, `${original}\nexport const ours = pgTable('ours', { id: bigint({ mode: 'number' }) })\n`)
  await npx('drizzle-kit', 'generate', '--name', 'ours')
  await commit('Ours')
  await git('checkout', '--quiet', 'main')
  const at = original.indexOf('export const')
  const theirs = `export const theirs = pgTable('theirs', { id: bigint({ mode: 'number' }) })\n\n`
  await writeFile(schema, original.slice(0, at) + theirs + original.slice(at))
  await npx('drizzle-kit', 'generate', '--name', 'theirs')
  await commit('Theirs')
  await git('checkout', '--quiet', 'ours')
  await t.rejects(git('merge', 'main'), 'git cannot merge two journals')

  await npx('node', 'development/merge-migrations.ts')
  await commit('Merge')
  const { entries } = JSON.parse(await readFile(join(folder, 'drizzle/migrations/meta/_journal.json'), 'utf8'))
  const names = entries.slice(-2).map(({ tag }: { tag: string }) => tag.slice(5))
  t.same(names, ['theirs', 'ours'])
  await npx('drizzle-kit', 'check')

  const url = await createDatabase(t)
  await migrate(addressOf(url), () => {}, join(folder, 'drizzle/migrations'))
  const sql = postgres(url, { max: 1 })
  t.teardown(() => sql.end())
  t.equal((await sql`select from theirs, ours`).count, 0)

  await npx('node', 'development/merge-migrations.ts', entries.at(-2).tag)
  const last = JSON.parse(await readFile(join(folder, 'drizzle/migrations/meta/_journal.json'), 'utf8')).entries.at(-1)
  t.match(last, { idx: entries.length - 1, tag: /_theirs$/ })
  t.match((await npx('drizzle-kit', 'generate')).stdout, 'No schema changes')
  await migrate(addressOf(url), () => {}, join(folder, 'drizzle/migrations'))
})
