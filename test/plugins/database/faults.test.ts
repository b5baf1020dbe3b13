import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { connect, type Database, type Tx } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'

import { createDatabase } from '../../helpers/database.ts'
import { type Ending, startProxy } from '../../helpers/proxy.ts'

// A broken connection must neither end the process (tap fails on uncaught exceptions) nor leave a query or the pool
// waiting forever.

const endings: Ending[] = ['end', 'resetAndDestroy']

/** A pool whose connections the test can break, and a direct connection. */
async function startPool(t: Test, size = 1) {
  const url = await createDatabase(t)
  const proxy = await startProxy(t, url)
  const [db, direct] = [connect(addressOf(proxy.url), size), connect(addressOf(url), 1)]
  t.teardown(() => Promise.all([db, direct].map(({ $client }) => $client.end({ timeout: 1 }))))
  await ask(db, 1)
  return { db, direct, proxy }
}

async function ask(db: Database | Tx, n: number) {
  const [row] = await db.execute(sql`select ${n}::int as n`)
  if (row?.n !== n) throw new Error(`asked for ${n} and was given ${row?.n}`)
}

const longQuery = sql`select pg_sleep(9)`

async function untilAsked(direct: Database) {
  const asking = sql`
    select pid from pg_stat_activity
    where query = 'select pg_sleep(9)' and state = 'active' and datname = current_database()`
  for (;;) {
    const [row] = await direct.execute<{ pid: number }>(asking)
    if (row) return row.pid
  }
}

const dismissAll = (direct: Database) =>
  direct.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

t.test('a transaction whose connection breaks during a query fails, and the pool continues', async (t) => {
  for (const ending of endings) {
    const { db, direct, proxy } = await startPool(t)
    const broken = t.rejects(
      db.transaction((tx) => tx.execute(longQuery)),
      { code: 'CONNECTION_CLOSED' },
      ending,
    )
    await untilAsked(direct)
    proxy.breakAll(ending)
    await broken
    for (const n of [2, 3, 4]) await ask(db, n)
  }
})

t.test('a transaction whose connection breaks between two queries fails, and the pool continues', async (t) => {
  for (const ending of endings) {
    const { db, proxy } = await startPool(t)
    let isDone: () => void = () => {}
    const done = new Promise<void>((resolve) => (isDone = resolve))
    const transaction = db.transaction(async (tx) => {
      await ask(tx, 2)
      proxy.breakAll(ending)
      await done
      await ask(tx, 3)
    })
    await t.rejects(transaction, { code: 'CONNECTION_CLOSED' }, ending)
    isDone()
    for (const n of [4, 5, 6]) await ask(db, n)
  }
})

t.test('an aborted transaction is rolled back, and its connection reused', async (t) => {
  const { db, proxy } = await startPool(t)
  await db.execute(sql`create table notes (text text)`)
  const givenUp = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('never')`)
    throw new Error('changed my mind')
  })
  await t.rejects(givenUp, { message: 'changed my mind' })
  t.same([...(await db.execute(sql`select * from notes`))], [])
  t.equal(proxy.accepted, 1)
})

t.test('a query sent right after the connection broke gets a response', async (t) => {
  for (const ending of endings) {
    const { db, direct, proxy } = await startPool(t)
    const again = db.execute(longQuery).then(
      () => {},
      () => ask(db, 2),
    )
    await untilAsked(direct)
    proxy.breakAll(ending)
    await again
    for (const n of [3, 4, 5]) await ask(db, n)
    t.pass(ending)
  }
})

t.test('a server that closes connections at once is an error, and not retried endlessly', async (t) => {
  for (const ending of endings) {
    const { db, proxy } = await startPool(t)
    proxy.refusing = ending
    proxy.breakAll(ending)
    while ((await ask(db, 2).catch(() => 'failed')) !== 'failed');
    const before = proxy.accepted
    await t.rejects(ask(db, 3), { cause: { code: /CONNECTION_CLOSED|ECONNRESET/ } }, ending)
    t.ok(proxy.accepted - before <= 1, `${proxy.accepted - before} tries for one query`)
    proxy.refusing = undefined
    for (const n of [4, 5, 6]) await ask(db, n)
  }
})

t.test('only the query that Postgres cancelled fails', async (t) => {
  const { db, direct } = await startPool(t)
  const broken = t.rejects(db.execute(longQuery).then(), { cause: { code: 'CONNECTION_CLOSED' } })
  await direct.execute(sql`select pg_terminate_backend(${await untilAsked(direct)})`)
  await broken
  for (const n of [2, 3, 4]) await ask(db, n)
})

t.test(
  "whenever connections break, every query ends, none gets another's response, and the pool recovers",
  async (t) => {
    const { db, direct, proxy } = await startPool(t, 3)
    let n = 1
    let isOver = false
    const works: ((n: number) => Promise<unknown>)[] = [
      (n) => ask(db, n),
      (n) => db.transaction(async (tx) => [await ask(tx, n), await ask(tx, -n)]),
      (n) => db.transaction(async (tx) => [await ask(tx, n), await sleep(2), await ask(tx, -n)]),
      (n) => db.execute(sql`select ${n}::int, ${'long'.repeat(1_000)}::text`),
    ]
    const faults = new Set<string | undefined>()
    const keepAsking = async () => {
      while (!isOver) {
        const work = works[++n % works.length]
        await work?.(n).catch(({ code, cause }) => faults.add(code ?? cause?.code))
      }
    }
    const asking = Promise.all(Array.from({ length: 12 }, keepAsking))
    for (let times = 0; times < 40; times++) {
      const from = n
      while (n < from + 20) await sleep(times % 5)
      const ending = endings[times % 3]
      if (ending) proxy.breakAll(ending)
      else await dismissAll(direct)
    }
    isOver = true
    await asking
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => ask(db, n)))
    t.comment(`${n} were asked`)
    for (const fault of faults) t.match(fault, /CONNECTION_CLOSED|ECONNRESET|EPIPE|57P01/)
  },
)
