import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { freePort } from '../../../development/free-port.ts'
import { createDatabase } from '../../helpers/database.ts'

// Each test fails without one of the patches of postgres.js. patches/README.md says which.

type Options = postgres.Options<Record<string, never>> & { socket?: () => Socket }

async function open(t: Test, options: Options = {}) {
  const { hostname, port, username: user, password, pathname } = new URL(await createDatabase(t))
  const server = { host: hostname, port: Number(port), user, password, database: pathname.slice(1) }
  const sql = postgres({ ...server, max: 1, fetch_types: false, onnotice() {}, ...options })
  t.teardown(() => sql.end({ timeout: 0 }))
  return { sql, server }
}

/** The test holds the socket of the last connection. */
async function openWithSocket(t: Test) {
  const { server } = await open(t)
  const held: Socket[] = []
  const socket = () => {
    const one = connect(server.port, server.host)
    held.push(one)
    return one
  }
  const { sql } = await open(t, { ...server, socket })
  await sql`select 1`
  return { sql, socketNow: () => held.at(-1) as Socket }
}

t.test('a drained socket does not return its connection to the pool in the middle of a transaction', async (t) => {
  const { sql, socketNow } = await openWithSocket(t)
  await sql`create table notes (text text)`
  let other: Promise<unknown> | undefined
  const transaction = sql.begin(async (tx) => {
    await tx`insert into notes values ('rolled back')`
    socketNow().emit('drain')
    other = sql`insert into notes values ('kept')`.execute()
    await sleep(10)
    throw new Error('changed my mind')
  })
  await t.rejects(transaction, { message: 'changed my mind' })
  await other
  t.same([...(await sql`select text from notes`)], [{ text: 'kept' }])
})

t.test('a result after one that failed in the middle of its rows has no holes', async (t) => {
  const { sql } = await open(t)
  await t.rejects(sql`select 1 / (3 - n) from generate_series(1, 5) n`, { code: '22012' })
  t.same([...(await sql`select 1 as n`)], [{ n: 1 }])
})

t.test('a query with too many parameters fails alone, and its neighbours get their own responses', async (t) => {
  const { sql } = await open(t)
  await sql`select 1`
  const ask = (n: number) => sql.unsafe(`select ${n} as n, pg_sleep(0.05)::text`).execute()
  const first = ask(1)
  const tooMany = sql.unsafe('select 2', Array(65_535).fill(1)).execute()
  const last = ask(3)
  await t.rejects(tooMany, { code: 'MAX_PARAMETERS_EXCEEDED' })
  t.match(await Promise.all([first, last]), [[{ n: 1 }], [{ n: 3 }]])
})

t.test('a standby is not read-write, even if it says nothing of read-only transactions', async (t) => {
  const message = (type: string, ...texts: (string | Buffer)[]) => {
    const body = Buffer.concat(texts.map((text) => (typeof text === 'string' ? Buffer.from(`${text}\0`) : text)))
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const standby = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(message('R', Buffer.alloc(4)))
      socket.write(message('S', 'in_hot_standby', 'on'))
      socket.write(message('S', 'default_transaction_read_only', 'off'))
      socket.write(message('Z', Buffer.from('I')))
      socket.once('data', () => socket.destroy())
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => standby.close())
  await once(standby, 'listening')
  const { port } = standby.address() as AddressInfo
  const { sql } = await open(t, { port, host: '127.0.0.1', target_session_attrs: 'read-write' })
  await t.rejects(sql`select 1`, { code: 'TARGET_SESSION_ATTRS' })
})

t.test('what a broken connection did not send is not sent by the next one', async (t) => {
  const { sql, socketNow } = await openWithSocket(t)
  const unsent = t.rejects(sql`select 1`, { code: 'CONNECTION_CLOSED' })
  for (let turns = 0; turns < 5; turns++) await undefined // it is built by then, and written with the next turn
  socketNow().destroy()
  await unsent
  t.same(await Promise.race([sql`select 2 as n`, sleep(5000, 'hangs', { ref: false })]), [{ n: 2 }])
})

t.test('of several hosts, the one that runs a query cancels it', async (t) => {
  const { server } = await open(t)
  const several: object = { host: [server.host, server.host], port: [await freePort(), server.port] }
  const { sql } = await open(t, { ...server, ...several })
  await sql`select 1`
  const query = sql`select pg_sleep(5)`.execute()
  const cancelled = t.rejects(query, { code: '57014' })
  await sleep(50)
  query.cancel()
  await cancelled
})

t.test('a query that was cancelled before it was sent does not hold up its transaction', async (t) => {
  const { sql } = await open(t)
  const transaction = sql.begin(async (tx) => {
    const first = tx`select ${1}::int as n, pg_sleep(0.05)::text`.execute()
    const second = tx`select ${2}::int as n`.execute()
    const third = tx`select ${3}::int as n`.execute()
    await sleep(10)
    second.cancel()
    await t.rejects(second, { code: '57014' })
    return Promise.all([first, third])
  })
  const ended = transaction.then(
    () => 'ended',
    () => 'ended',
  )
  t.equal(await Promise.race([ended, sleep(5000, 'hangs', { ref: false })]), 'ended')
})

t.test('a connection that refused a write as read-only is replaced', async (t) => {
  const { sql } = await open(t)
  await sql`set default_transaction_read_only = on`
  await t.rejects(sql`create table notes (text text)`, { code: '25006' })
  await sql`create table notes (text text)`
})
