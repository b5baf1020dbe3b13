import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { migrate } from '../../drizzle/migrate.ts'
import { addressOf } from '../helpers/address.ts'
import { startApp } from '../helpers/app.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'
import { signUp } from '../helpers/visitor.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

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
  t.equal((await db`select from pg_locks where locktype = 'advisory'`).count, 0)
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

t.test("the README's example keeps both columns equal, whichever version writes", async (t) => {
  const readme = await readFile(join(root, 'drizzle/README.md'), 'utf8')
  const [expand = '', contract = ''] = [...readme.matchAll(/```sql\n(.*?)```/gs)].map(([, text]) => text)
  const url = await createDatabase(t)
  const sql = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => sql.end())
  const runAll = async (script: string) => {
    for (const statement of script.split('--> statement-breakpoint')) await sql.unsafe(statement)
  }
  const write = (column: string, name: string) =>
    sql`insert into users (${sql(column)}, email, password_digest) values (${name}, ${`${name}@example.com`}, '')`
  const names = () => sql`select name, display_name from users order by email`

  await write('name', 'Ada')
  await runAll(expand)
  await sql`alter table users alter column name drop not null`
  await write('name', 'Bea')
  await write('display_name', 'Cleo')
  t.same(
    [...(await names())],
    ['Ada', 'Bea', 'Cleo'].map((name) => ({ name, display_name: name })),
  )
  await sql`update users set name = 'Ana' where name = 'Ada'`
  await sql`update users set display_name = 'Bob' where name = 'Bea'`
  t.same(
    [...(await names())],
    ['Ana', 'Bob', 'Cleo'].map((name) => ({ name, display_name: name })),
  )
  await runAll(contract)
  t.same((await sql`select * from users`).columns.filter(({ name }) => name.endsWith('name')).length, 1)
})

const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()

/**
 * The commit before the newest migration, which is still running while the new version boots, or the reason to skip.
 */
async function versionBefore() {
  try {
    const newest = await git('log', '-1', '--format=%H', '--', 'drizzle/migrations/meta/_journal.json')
    const before = await git('rev-parse', '--verify', `${newest}^`)
    const { dependencies } = JSON.parse(await git('show', `${before}:package.json`))
    const others = await Promise.all(Object.entries<string>(dependencies).map(isOther))
    const [other] = others.filter(Boolean)
    return other ? { before: undefined, skip: `it runs on another ${other}` } : { before, skip: false as const }
  } catch {
    return { before: undefined, skip: 'its history is not here, as in a shallow clone' }
  }
}

/** The name of a package whose installed version differs from the one required. */
async function isOther([name, wanted]: [string, string]) {
  const manifest = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8').catch(() => '{}')
  return JSON.parse(manifest).version?.split('.')[0] === wanted.split('.')[0] ? undefined : name
}

const { before, skip } = await versionBefore()

t.test('the previous version boots and works on the new schema', { skip }, async (t) => {
  const folder = await folderFor(t)
  await run('sh', ['-c', `git archive ${before} | tar -x -C "$0"`, folder], { cwd: root })
  await symlink(join(root, 'build'), join(folder, 'build'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  const environment = {
    ...childEnvironment(),
    NODE_ENV: 'production',
    HOST: `http://127.0.0.1:${port}`,
    PORT: String(port),
    BIND: '127.0.0.1',
    SECRET_KEY_BASE: 'a secret for the version before, as long as it has to be: 64 characters and more',
    DATABASE_URL: await createDatabase(t),
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, ['server.ts'], { cwd: folder, env: environment })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const url = `http://127.0.0.1:${port}`
  await untilUp(url, child, () => said)

  const { cookie, slug } = await signUp(url)
  const page = await fetch(`${url}/${slug}`, { redirect: 'manual', headers: { cookie } })
  t.equal(page.status, 200, said)
  t.notMatch(said, /"level":[56]0/)
})

async function untilUp(url: string, child: ChildProcess, said: () => string) {
  const exit = once(child, 'exit')
  for (;;) {
    const up = await Promise.race([fetch(`${url}/up`).catch(() => undefined), exit])
    if (Array.isArray(up)) throw new Error(said())
    if (up?.ok) return
    await sleep(50)
  }
}

t.test('every sequence survives the promotion of a standby, also that of an unlogged table', async (t) => {
  const { app } = await startApp(t)
  const unlogged = (await app.db.execute(`select relname from pg_class where relkind = 'S' and relpersistence = 'u'`))
    .rows
  t.same([...unlogged], [])
})
