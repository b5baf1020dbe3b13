import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { freePort } from '../free-port.ts'
import { findHome, type Home } from './home.ts'
import { alone, lock } from './lock.ts'
import { once } from './once.ts'
import { whenGone } from './when-gone.ts'

const run = promisify(execFile)

type Options = {
  folder: string
  /** Additional server settings, such as `{ fsync: 'off' }`. Ignored when a running server is joined. */
  settings?: Record<string, string>
  /** Whether the server outlives this process unless `stop` is called. */
  stays?: boolean
}

/**
 * Starts a real Postgres in a folder of the project, with a database `app`. Processes that use the same folder share
 * the server, and the last one to end, or to be killed, shuts it down.
 */
export async function startPostgres({ folder, settings = {}, stays = false }: Options) {
  const ours = resolve(folder)
  await mkdir(dirname(ours), { recursive: true })
  await mkdir(ours, { recursive: true, mode: 0o700 })
  const { starting, inUse } = locksIn(ours)
  const callOff = stays ? () => {} : whenGone(stopScript, ours)

  const { url, leave } = await alone(starting, async () => {
    const home = await findHome(ours)
    const password = await keepPassword(home)
    await once(join(home.folder, 'data'), (target) => create(home, target))
    const url = await joinOrStart(home, password, settings)
    return { url, leave: lock(inUse, 'shared') }
  })

  let stopped: Promise<void> | undefined
  const stop = async () => {
    leave?.()
    await stopUnused(ours)
    callOff()
  }
  return {
    url,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Stops the server of a folder, unless a process still uses it. */
export const stopUnused = (folder: string) =>
  alone(locksIn(folder).starting, async () => {
    const release = lock(locksIn(folder).inUse, 'exclusive')
    if (!release) return false
    const home = await findHome(folder)
    // replaces a stale pid; if the server was killed meanwhile, it is stopped, as requested
    if (await runningPort(home)) await control(home, 'stop', '-m', 'fast').catch(() => {})
    release()
    return true
  })

const stopScript = fileURLToPath(new URL('stop.ts', import.meta.url))

const locksIn = (folder: string) => ({ starting: join(folder, 'starting.lock'), inUse: join(folder, 'in-use.lock') })

async function keepPassword({ folder, user }: Home) {
  const file = join(folder, 'password')
  await writeFile(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(() => {})
  if (user) await chown(file, user.uid, user.gid)
  return await readFile(file, 'utf8')
}

async function create({ programs, folder, user }: Home, data: string) {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=app', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  const options = { ...user, cwd: '/' }
  try {
    await run(join(programs, 'initdb'), [`--pgdata=${data}`, ...locale, ...access], options)
    const single = run(join(programs, 'postgres'), ['--single', '-D', data, 'postgres'], options)
    single.child.stdin?.end('create database app\n')
    await single
  } catch (error) {
    throw new Error(`The built-in Postgres could not be set up (${reasonOf(error)}): set DATABASE_URL`)
  }
}

async function joinOrStart(home: Home, password: string, settings: Record<string, string>) {
  const urlAt = (port: number) => `postgres://app:${password}@127.0.0.1:${port}/app`
  let reason: string | undefined
  // temporary failures: the port was taken meanwhile, or the server of a killed process is still starting or stopping
  for (let tries = 0; tries < 8; tries++) {
    const running = await runningPort(home)
    if (running && (await answers(urlAt(running)))) return urlAt(running)
    try {
      const port = await freePort()
      await control(home, 'start', '-l', join(home.folder, 'log'), '-o', serverOptions(port, settings))
      return urlAt(port)
    } catch {
      reason = await lastComplaint(home)
    }
    await sleep(250)
  }
  throw new Error(
    `The built-in Postgres did not start (${reason}): see ${join(home.folder, 'log')}, or set DATABASE_URL`,
  )
}

function serverOptions(port: number, settings: Record<string, string>) {
  // no socket file, because its folder is shared with every other Postgres on the machine
  const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...settings }
  return Object.entries(all)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
}

/** pg_ctl starts the server in its own session, so Ctrl-C does not reach it and we can stop it last. */
const control = ({ programs, folder, user }: Home, ...command: string[]) =>
  run(join(programs, 'pg_ctl'), [...command, '-w', '-s', '-D', join(folder, 'data')], { ...user, cwd: '/' })

const nobody = '2147483647'

async function runningPort({ folder }: Home) {
  const data = join(folder, 'data')
  const file = join(data, 'postmaster.pid')
  const record = await readFile(file, 'utf8').catch(() => '')
  const [pid = '', , , port] = record.split('\n')
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => data)
  // The pid may belong to another process by now, for example in a restarted container, or to a zombie, and Postgres
  // would mistake it for the server. Replace it with an impossible pid, but keep the rest, which Postgres needs to find
  // leftover workers.
  if (record && !command.includes(data)) await writeFile(file, record.replace(pid, nobody))
  return Number(port)
}

async function answers(url: string) {
  const sql = postgres(url, { max: 1, connect_timeout: 2 })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end()
  }
}

async function lastComplaint({ folder }: Home) {
  const lines = (await readFile(join(folder, 'log'), 'utf8').catch(() => '')).split('\n')
  return lines.findLast((line) => /FATAL|PANIC|could not|error/.test(line))?.trim() ?? 'it left no log'
}

const reasonOf = (error: unknown) =>
  error instanceof Error && 'stderr' in error
    ? String(error.stderr || error.message)
        .trim()
        .split('\n')[0]
    : String(error)
