import { spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { canRun } from './authority.ts'
import { childEnvironment } from './children.ts'
import { onServer } from './test-server.ts'

/** The reason to skip tests that need a pooler, or false. */
export const noPooler = canRun('pgbouncer', '--version') ? false : 'pgbouncer is not installed'

/** Starts PgBouncer in front of a database, with a server connection for each transaction or session. */
export async function startPooler(t: Test, databaseUrl: string, mode: 'transaction' | 'session' = 'transaction') {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'accounts-pooler-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const own = String(await freePort())
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
    default_pool_size: '20',
    max_client_conn: '200',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const database = `host=${hostname} port=${port} dbname=${pathname.slice(1)} password='${password}'`
  await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`)
  await writeFile(join(folder, 'ini'), `[databases]\n* = ${database}\n[pgbouncer]\n${lines.join('\n')}\n`)

  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  for (const file of user ? ['', 'users', 'ini'] : []) {
    await chmod(join(folder, file), 0o700)
    await chown(join(folder, file), 65_534, 65_534)
  }
  const child = spawn('pgbouncer', ['--quiet', join(folder, 'ini')], {
    stdio: 'ignore',
    env: childEnvironment(),
    ...user,
  })
  t.teardown(() => child.kill('SIGKILL'))
  const url = new URL(databaseUrl)
  url.port = own
  // Without leaving prepared statements on a connection that the application gets next.
  const answers = () =>
    onServer(`${url.href}?prepare=false&fetch_types=false`, (sql) => sql`select`).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error('pgbouncer did not start')
    await sleep(20)
  }
  return url.href
}
