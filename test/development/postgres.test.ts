import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { findHome } from '../../development/postgres/home.ts'
import { startPostgres } from '../../development/postgres/index.ts'
import { withClient } from '../../plugins/database/index.ts'
import { addressOf } from '../helpers/address.ts'
import { scratch } from '../helpers/scratch.ts'

const isRoot = process.getuid?.() === 0

async function emptyFolder(t: Test, mode = 0o755) {
  const folder = await mkdtemp(join(scratch, 'postgres-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await chmod(folder, mode)
  return folder
}

const ask = async (url: string, query = 'select 1 as answer') =>
  (await withClient(addressOf(url), (client) => client.query(query))).rows

/** A process of its own that uses the database, and what it says and hears. */
function startProcess(t: Test, folder: string) {
  const child = fork(new URL('process.ts', import.meta.url), [folder], { cwd: '/', detached: true })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    url: once(child, 'message').then(([url]) => String(url)),
    stop: () => child.send('stop') && exited,
    kill: () => child.kill('SIGKILL') && exited,
  }
}

const folder = await emptyFolder(t)

t.test('data persists, and only local connections with the password are accepted', async (t) => {
  const first = await startPostgres({ folder, settings: { work_mem: '5MB' } })
  await ask(first.url, "create table notes as select 'kept' as text")
  t.same(await ask(first.url, 'show work_mem'), [{ work_mem: '5MB' }])
  await first.stop()
  await t.rejects(ask(first.url), 'it has ended')

  const { url, stop } = await startPostgres({ folder })
  t.teardown(stop)
  t.same(await ask(url, 'select text from notes'), [{ text: 'kept' }])
  t.same(await ask(url, 'show listen_addresses'), [{ listen_addresses: '127.0.0.1' }])
  const { password } = new URL(url)
  await t.rejects(ask(url.replace(password, 'guessed')), { code: '28P01' })
  t.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
})

t.test('processes that start at once share one new server, and the last one ends it', async (t) => {
  const folder = join(await emptyFolder(t), 'new/postgres')
  const [one, two] = [startProcess(t, folder), startProcess(t, folder)]
  const url = await one.url
  t.equal(await two.url, url)
  await one.stop()
  await ask(url)
  await two.stop()
  await t.rejects(ask(url))
})

t.test('Ctrl-C and a kill end a process but not its server, which the next start joins', async (t) => {
  const child = startProcess(t, folder)
  const url = await child.url
  process.kill(-child.pid, 'SIGINT') // to all processes of the terminal
  await sleep(300)
  await child.kill()
  await ask(url)
  const next = await startPostgres({ folder })
  t.equal(next.url, url)
  await next.stop()
  await t.rejects(ask(url))
})

t.test('a killed server, or a first start killed halfway, does not stop the next start', async (t) => {
  const child = startProcess(t, folder)
  await child.url
  const [pid] = (await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await child.kill()
  const halfway = await emptyFolder(t)
  const first = startProcess(t, halfway)
  await sleep(500)
  await first.kill()
  for (const place of [folder, halfway]) {
    const { url, stop } = await startPostgres({ folder: place })
    await ask(url).finally(stop)
  }
})

t.test('root runs it for a folder that only root can enter', { skip: isRoot ? false : 'needs root' }, async (t) => {
  const folder = join(await emptyFolder(t, 0o700), 'postgres')
  const { url, stop } = await startPostgres({ folder })
  const home = await findHome(folder)
  t.teardown(() => rm(home.folder, { recursive: true }))
  await ask(url).finally(stop)
  t.equal((await stat(home.folder)).mode & 0o777, 0o700, 'and nobody else can look into it')
})
