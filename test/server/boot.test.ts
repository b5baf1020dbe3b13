import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { describeErrors, readAddress, waitForDatabase } from '../../plugins/database/index.ts'
import { addressOf, migrateAll } from '../helpers/address.ts'
import { createDatabase } from '../helpers/database.ts'
import { operatorOf } from '../helpers/postgres.ts'
import { startAnswering } from '../helpers/proxy.ts'
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
  t.equal(await lineOf(url), undefined)
  const silent = await startAnswering(t)
  const lines = {
    'cannot be reached (ECONNREFUSED)': `postgres://leak:leak@127.0.0.1:${await freePort()}/leak`,
    'cannot be reached (timeout expired)': `postgres://leak:leak@127.0.0.1:${silent}/leak?connect_timeout=1`,
    'cannot be reached (ENOTFOUND)': `postgres://leak:leak@${'leak'.repeat(16)}.invalid/leak`, // no server is asked
    'does not exist: create it, or name another one': edited(url, (url) => (url.pathname = '/leak')),
    'refuses the password of this role': edited(url, (url) => (url.password = 'leak')),
    'offers no TLS, which its sslmode asks for': edited(url, (url) => (url.search = 'sslmode=require')),
  }
  for (const [line, address] of Object.entries(lines))
    t.equal(await lineOf(address, 'QUEUE_URL'), `The database of QUEUE_URL ${line}`)
  const stranger = await lineOf(edited(url, (url) => (url.username = 'leak')))
  t.equal(stranger, 'The database of DATABASE_URL refuses the password of this role', 'as Postgres itself says it')

  const operator = operatorOf(t, url)
  const role = new URL(url).pathname.slice(1)
  await operator.unsafe(`create role "${role}" login password 'guest'`)
  t.teardown(() => operator.unsafe(`drop role "${role}"`))
  await operator.unsafe(`create database "${role}_empty"`)
  t.teardown(() => operator.unsafe(`drop database "${role}_empty" with (force)`))
  const login = { username: role, password: 'guest', pathname: `/${role}_empty` }
  const guest = addressOf(edited(url, (url) => Object.assign(url, login)))
  const message =
    'The database of DATABASE_URL does not allow this role what the application needs: grant it CONNECT and CREATE'
  const migrated = describeErrors(guest, () => migrateAll(guest))
  await t.rejects(migrated, { message })
  await operator.unsafe(`revoke connect on database "${role}_empty" from public`)
  await t.rejects(waitForDatabase(guest, { seconds: 0, log() {} }), { message })
})

t.test('an unreachable queue and a bad BIND name QUEUE_URL and BIND', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  const QUEUE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`
  const unreachable = 'The database of QUEUE_URL cannot be reached (ECONNREFUSED)'
  t.same(await boot(t, { DATABASE_URL, QUEUE_URL }), { code: 1, said: unreachable })
  const said = 'BIND must be an address of this machine, such as 0.0.0.0'
  for (const BIND of ['nowhere.invalid', '192.0.2.1'])
    t.same(await boot(t, { DATABASE_URL, BIND }), { code: 1, said }, BIND)
})

t.test('a database that accepts and closes is waited for, with few attempts and a log line', async (t) => {
  let tries = 0
  const port = await startAnswering(t, (socket) => {
    tries++
    socket.end()
  })
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const waiting = waitForDatabase(addressOf(`postgres://app@127.0.0.1:${port}/app`), { seconds: 6, log })
  const reason = '(Connection terminated unexpectedly)'
  await t.rejects(waiting, { message: `The database of DATABASE_URL cannot be reached ${reason}` })
  t.ok(tries <= 14, `${tries} tries in six seconds`)
  t.same(lines, [`Waiting for the database of DATABASE_URL ${reason}`])
})
