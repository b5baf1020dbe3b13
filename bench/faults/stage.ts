import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { startPostgres } from '../../development/postgres/index.ts'
import type { Owner } from '../../test/helpers/owner.ts'
import { startOwnPostgres } from '../../test/helpers/postgres.ts'
import { startProxy } from '../../test/helpers/proxy.ts'
import { startSmtp } from '../../test/helpers/smtp.ts'
import { startServer } from '../server.ts'
import { senders } from './options.ts'

const settings = { max_connections: '60', superuser_reserved_connections: '0', wal_keep_size: '512MB' }

export type Stage = Awaited<ReturnType<typeof setStage>>

/** A server of two processes and another one of one, which reach their database through a proxy that can fail. */
export async function setStage(owner: Owner) {
  const server = await startOwnPostgres(owner, { settings })
  const standby = await startStandby(owner, server)
  const proxy = await startProxy(owner, server.url)
  const smtp = await startSmtp(owner)
  for (const { start } of senders) await start(owner)
  const environment = Object.assign({}, smtp.environment, ...senders.map((each) => each.environment))
  const startApp = (more = {}) =>
    startServer(owner, proxy.url, { WEB_CONCURRENCY: '2', DRAIN_SECONDS: '2', ...environment, ...more })
  const app = await startApp()
  const other = await startServer(owner, proxy.url, environment)
  const open = (url: string) => {
    const sql = postgres(url, { max: 1, backoff: () => 0.1, onnotice() {} })
    owner.teardown(() => sql.end({ timeout: 1 }))
    return sql
  }
  return { server, standby, proxy, smtp, app, startApp, other, operator: open(server.url), open }
}

/** A copy of the server that follows it: pg_basebackup does not come with the embedded Postgres. */
async function startStandby(owner: Owner, { url, data }: { url: string; data: string }) {
  const folder = await mkdtemp(`${dirname(data)}-standby-`)
  owner.teardown(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const copy = join(folder, 'data')
  const sql = postgres(url, { max: 1, onnotice() {} }) // a backup ends with its connection
  await sql`select pg_backup_start('standby', true)`
  await promisify(execFile)('cp', ['-a', data, join(dirname(data), 'password'), folder])
  const [backup] = await sql`select labelfile from pg_backup_stop()`
  await sql.end()
  await rm(join(copy, 'postmaster.pid'))
  const { uid, gid } = await stat(data)
  for (const [name, content] of Object.entries({ backup_label: backup?.labelfile, 'standby.signal': '' })) {
    await writeFile(join(copy, name), content)
    await chown(join(copy, name), uid, gid)
  }
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\n`)
  const standby = await startPostgres({ folder, settings: { fsync: 'off', ...settings } })
  owner.teardown(standby.stop)
  return standby
}
