import { randomBytes } from 'node:crypto'
import { chown, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { findHome, type Home, makeOnce } from './home.ts'

/**
 * Starts a real Postgres in a folder, with a database `app`, or joins the one that runs there. The last process to call
 * `stop` ends it: each holds a lock in the server. If that process is killed, the next start joins the server.
 */
export async function startPostgres({ folder, settings = {} }: { folder: string; settings?: Record<string, string> }) {
  const home = await findHome(resolve(folder))
  const [data, log] = [join(home.folder, 'data'), join(home.folder, 'log')]
  const password = await keepPassword(home)
  await makeOnce(data, (draft) => create(home, draft))

  // Another process may be starting or stopping it, or have taken the port.
  for (let tries = 0; tries < 30; tries++) {
    const url = `postgres://app:${password}@127.0.0.1:${await portIn(data)}/app`
    const client = await open(url, 'select pg_advisory_lock_shared(1)').catch(() => undefined)
    if (client) return { url, stop: () => leave(client, url, () => home.run('pg_ctl', ['stop', '-s', '-D', data])) }
    // Without a socket file, whose folder is shared with every other Postgres of the machine.
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: await freePort(), ...settings }
    const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
    await home.run('pg_ctl', ['start', '-s', '-D', data, '-l', log, '-o', options.join(' ')]).catch(() => sleep(200))
  }
  throw new Error(`The embedded Postgres did not start: see ${log}, or set DATABASE_URL`)
}

/** The fourth line of the file that Postgres writes. */
const portIn = async (data: string) =>
  (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[3] ?? '0'

async function open(url: string, query: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {}) // the server has ended
  await client.connect()
  await client.query(query)
  return client
}

async function leave(client: pg.Client, url: string, stopServer: () => Promise<unknown>) {
  await client.query('select pg_advisory_unlock_shared(1)').catch(() => {})
  await client.end()
  const last = await open(url, 'select 1').catch(() => undefined)
  const isAlone = await last?.query('select pg_try_advisory_lock(1) as alone')
  if (isAlone?.rows[0].alone) await stopServer().catch(() => {}) // it is stopping already
  await last?.end()
}

async function keepPassword({ folder, user }: Home) {
  const file = join(folder, 'password')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (user) await chown(draft, user.uid, user.gid)
  // Another process that starts at the same time, or after this one was killed, finds all of it or nothing.
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return await readFile(file, 'utf8')
}

async function create({ folder, run }: Home, data: string) {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=app', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  await run('initdb', ['--no-sync', `--pgdata=${data}`, ...locale, ...access])
  const single = run('postgres', ['--single', '-D', data, 'postgres'])
  single.child.stdin?.end('create database app\n')
  await single
}
