import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import type { Owner } from '../../test/helpers/owner.ts'
import { startOwnPostgres } from '../../test/helpers/postgres.ts'
import { startProxy } from '../../test/helpers/proxy.ts'
import { startMailbox } from '../abuse/mailbox.ts'
import { startApplication } from '../lib/processes.ts'

const run = promisify(execFile)

/**
 * A separate Postgres, a proxy to it that can fail in every way, and the application as in production, with an
 * unprivileged role.
 */
export async function setStage(owner: Owner, tls: boolean) {
  const server = await startOwnPostgres(owner, { tls, settings: { max_connections: '100' } })
  const disk = await mountSmallDisk(owner, server.data)
  const operator = postgres(server.url, { max: 2, onnotice() {} })
  owner.teardown(() => operator.end({ timeout: 1 }))

  const password = randomBytes(12).toString('hex')
  for (const role of ['application', 'crowd']) await operator.unsafe(`create role ${role} login password '${password}'`)
  if (disk) await operator.unsafe(`create tablespace small owner application location '${disk}'`)
  await operator.unsafe(`create database accounts owner application ${disk ? 'tablespace small' : ''}`)
  const addressOf = (user: string, host = '127.0.0.1') =>
    Object.assign(new URL(server.url), { username: user, password, pathname: '/accounts', hostname: host })

  const proxy = await startProxy(owner, addressOf('application', tls ? 'localhost' : undefined).href)
  const query = tls ? `?sslmode=verify-full&sslrootcert=${server.issuer?.path}` : '?sslmode=disable'
  const mailbox = await startMailbox()
  owner.teardown(mailbox.stop)
  const application = await startApplication(proxy.url + query, { LOG_LEVEL: 'error', ...mailbox.environment })
  owner.teardown(application.stop)
  const inside = postgres(Object.assign(new URL(server.url), { pathname: '/accounts' }).href, { max: 1, onnotice() {} })
  owner.teardown(() => inside.end({ timeout: 1 }))
  return { server, disk, operator, inside, crowd: addressOf('crowd').href, proxy, mailbox, application }
}

export type Stage = Awaited<ReturnType<typeof setStage>>

/** A small file system for the database, which fills up quickly. Undefined without the permission to mount. */
async function mountSmallDisk(owner: Owner, data: string) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-disk-'))
  owner.teardown(() => rm(folder, { recursive: true, force: true }))
  const { uid, gid } = await stat(data)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder])
  } catch {
    return undefined
  }
  owner.teardown(() => run('umount', [folder]))
  const place = join(folder, 'tables')
  await mkdir(place)
  for (const each of [dirname(place), place]) await chown(each, uid, gid)
  return place
}
