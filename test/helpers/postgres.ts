import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { startPostgres } from '../../development/postgres/index.ts'
import { addressOf, migrateAll } from './address.ts'
import { authority } from './authority.ts'
import type { Owner } from './owner.ts'
import { scratch } from './scratch.ts'

const run = promisify(execFile)

type Options = { tls?: boolean; settings?: Record<string, string> }

// The operating system survives these tests, so nothing has to reach the disk. What a killed Postgres wrote is kept.
const quick = { fsync: 'off' }

/** A migrated database on a Postgres server for this test only, which can be restarted freely. */
export async function startOwnPostgres(t: Owner, { tls = false, settings = {} }: Options = {}) {
  const folder = await mkdtemp(join(scratch, 'accounts-postgres-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 })) // it may still be writing
  await chmod(folder, 0o755) // access for the user that Postgres runs as if we are root
  const start = async (settings: Record<string, string> = {}) => {
    const { url, stop } = await startPostgres({ folder, settings: { ...quick, ...settings } })
    t.teardown(stop)
    return { url, stop }
  }
  let running = await start(settings)
  const { url } = running
  const issuer = tls ? await encrypt(t, url, folder) : undefined
  await migrateAll(addressOf(url))
  const pid = async () => Number((await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])

  return {
    url,
    /** The authority that signed its certificate for localhost. */
    issuer,
    pid,
    /** The data directory. */
    data: join(folder, 'data'),
    /** Stops all processes of the server for a while, without closing any connection. */
    async freeze(milliseconds: number) {
      const parent = await pid()
      process.kill(parent, 'SIGSTOP') // first, so that no further backends start
      const all = [...(await childrenOf(parent)), parent]
      const thaw = () => {
        for (const pid of all.splice(0)) process.kill(pid, 'SIGCONT')
      }
      t.teardown(thaw)
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      await sleep(milliseconds)
      thaw()
    },
    /** A clean restart, as for an update: clients are disconnected. */
    async restart() {
      await running.stop()
      running = await start({ ...settings, port: new URL(url).port })
    },
  }
}

/** A connection beside the application's, as an operator has it. */
export function operatorOf(t: Owner, url: string, max = 1) {
  const operator = postgres(url, { max, onnotice() {} })
  t.teardown(() => operator.end())
  return operator
}

export async function childrenOf(parent: number) {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return processes.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

/** Enables TLS, with a certificate from the test's own authority. */
async function encrypt(t: Owner, url: string, folder: string) {
  const issuer = await authority(t)
  const data = join(folder, 'data')
  const { uid, gid } = await stat(data)
  for (const name of ['server.crt', 'server.key']) {
    await copyFile(join(issuer.folder, name), join(data, name))
    await chmod(join(data, name), 0o600)
    await chown(join(data, name), uid, gid)
  }
  const sql = operatorOf(t, url)
  await sql.unsafe('alter system set ssl = on')
  await sql`select pg_reload_conf()`
  while ((await sql`show ssl`)[0]?.ssl !== 'on') await sleep(10)
  return issuer
}
