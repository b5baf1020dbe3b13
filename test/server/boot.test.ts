import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { describeErrors, readAddress, waitForDatabase } from '../../plugins/database/index.ts'
import { addressOf, migrateAll } from '../helpers/address.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProxy } from '../helpers/proxy.ts'
import { startServer } from '../helpers/server.ts'

/** Runs the server until it exits. */
async function boot(t: Test, environment: Record<string, string>) {
  const { exit, output } = await startServer(t, { DATABASE_WAIT: '0', ...environment })
  return { code: await exit, said: output.text.trim() }
}

/** The message for an address that cannot be used. */
const lineOf = (url: string, variable = 'DATABASE_URL') =>
  waitForDatabase(readAddress(url, { variable }), { seconds: 0, log() {} }).then(
    () => undefined,
    ({ message }) => message,
  )

const edited = (url: string, change: (url: URL) => void) => {
  const copy = new URL(url)
  change(copy)
  return copy.href
}

t.test('each reason why a database cannot be used is one line with the variable and without values', async (t) => {
  const url = await createDatabase(t)
  const { pathname } = new URL(url)
  t.equal(await lineOf(url), undefined)
  const silent = createServer((socket: Socket) => sockets.add(socket.on('error', () => {})))
  const sockets = new Set<Socket>()
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const lines = {
    'cannot be reached (ECONNREFUSED)': `postgres://leak:leak@127.0.0.1:${await freePort()}/leak`,
    'cannot be reached (timeout expired)': `postgres://leak:leak@127.0.0.1:${port}/leak?connect_timeout=1`,
    'cannot be reached (ENOTFOUND)': 'postgres://leak:leak@leak.invalid/leak',
    'does not exist: create it, or name another one': edited(url, (url) => (url.pathname = '/leak')),
    'refuses the password of this role': edited(url, (url) => (url.password = 'leak')),
    'offers no TLS, which its sslmode asks for': edited(url, (url) => (url.search = 'sslmode=require')),
  }
  for (const [line, address] of Object.entries(lines)) {
    const said = await lineOf(address, 'QUEUE_URL')
    t.equal(said, `The database of QUEUE_URL ${line}`)
    t.notMatch(said, /leak|accounts_test/)
  }
  t.equal(
    await lineOf(edited(url, (url) => (url.username = 'leak'))),
    'The database of DATABASE_URL refuses the password of this role',
    'a role that does not exist, as Postgres itself says it',
  )
  const operator = postgres(url, { max: 1, onnotice() {} })
  t.teardown(() => operator.end())
  const role = pathname.slice(1)
  await operator.unsafe(`create role "${role}" login password 'guest'`)
  t.teardown(() => operator.unsafe(`drop role "${role}"`))
  await operator.unsafe(`create database "${role}_empty"`)
  t.teardown(() => operator.unsafe(`drop database "${role}_empty" with (force)`))
  const guest = addressOf(
    edited(url, (url) => Object.assign(url, { username: role, password: 'guest', pathname: `/${role}_empty` })),
  )
  const denied =
    'The database of DATABASE_URL does not allow this role what the application needs: grant it CONNECT and CREATE'
  await t.rejects(
    describeErrors(guest, () => migrateAll(guest)),
    { message: denied },
  )
  await operator.unsafe(`revoke connect on database "${role}_empty" from public`)
  await t.rejects(waitForDatabase(guest, { seconds: 0, log() {} }), { message: denied })
})

t.test('an unreachable queue and a bad BIND name QUEUE_URL and BIND', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  const QUEUE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`
  t.same(await boot(t, { DATABASE_URL, QUEUE_URL }), {
    code: 1,
    said: 'The database of QUEUE_URL cannot be reached (ECONNREFUSED)',
  })
  for (const BIND of ['nowhere.invalid', '192.0.2.1']) {
    t.same(await boot(t, { DATABASE_URL, BIND }), {
      code: 1,
      said: 'BIND must be an address of this machine, such as 0.0.0.0',
    })
  }
})

t.test('a database that accepts and closes is waited for, with few attempts and a log line', async (t) => {
  let tries = 0
  const balancer = createServer((socket: Socket) => {
    tries++
    socket.on('error', () => {}).end()
  })
  t.teardown(() => balancer.close())
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  const { port } = balancer.address() as AddressInfo
  const lines: string[] = []
  const waiting = waitForDatabase(addressOf(`postgres://app@127.0.0.1:${port}/app`), {
    seconds: 6,
    log: (line) => lines.push(line),
  })
  await t.rejects(waiting, {
    message: 'The database of DATABASE_URL cannot be reached (Connection terminated unexpectedly)',
  })
  t.ok(tries <= 14, `${tries} tries in six seconds`)
  t.same(lines, ['Waiting for the database of DATABASE_URL (Connection terminated unexpectedly)'])
})

t.test('a database that appears while it is waited for is used', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  proxy.cut()
  const waiting = waitForDatabase(addressOf(proxy.url), { seconds: 60, log() {} })
  await sleep(100)
  proxy.restore()
  await waiting
})
