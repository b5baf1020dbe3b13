import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import {
  connect,
  type Database,
  isLate,
  isUniqueViolation,
  StaleRead,
  type Tx,
  withClient,
} from '../../../plugins/database/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { addressOf } from '../../helpers/address.ts'
import { createDatabase } from '../../helpers/database.ts'
import { startOwnPostgres } from '../../helpers/postgres.ts'
import { startAnswering } from '../../helpers/proxy.ts'

type Limits = Parameters<typeof connect>[2]
type Queries = Pick<Tx, 'execute'>

type Opening = { max?: number; limits?: Limits; url?: string; report?: Parameters<typeof connect>[3] }

/** A database with an empty table `things`. */
async function open(t: Test, { max = 2, limits, url, report }: Opening = {}) {
  const address = addressOf(url ?? (await createDatabase(t)))
  const db = connect(address, max, limits, report)
  const direct = connect(address, 1)
  t.teardown(() => Promise.all([db.close(), direct.close()]))
  await direct.execute(sql`create table things (id int primary key)`)
  const insert = (tx: Queries, id: number) => tx.execute(sql`insert into things values (${id})`)
  const ids = async () => (await direct.execute(sql`select id from things order by 1`)).rows.map(({ id }) => id)
  const pid = async (tx: Queries) => Number((await tx.execute(sql`select pg_backend_pid() as pid`)).rows[0]?.pid)
  const terminate = (backend: number) => direct.execute(sql`select pg_terminate_backend(${backend})`)
  return { db, direct, insert, ids, pid, terminate }
}

/** Stops the process of a connection, which is as silent then as a host that vanished. */
function silence(t: Test, pid: number) {
  process.kill(pid, 'SIGSTOP')
  t.teardown(() => process.kill(pid, 'SIGKILL'))
}

t.test('a transaction commits all or nothing, and calls back only after a commit', async (t) => {
  const { db, insert, ids } = await open(t)
  const called: string[] = []
  const result = await db.transaction(async (tx) => {
    tx.afterCommit(async () => called.push(`with ${await ids()}`))
    await Promise.all([insert(tx, 1), insert(tx, 2)])
    return 'done'
  })
  t.equal(result, 'done')
  const given = db.transaction(async (tx) => {
    tx.afterCommit(() => called.push('never'))
    await insert(tx, 3)
    throw new Error('changed our mind')
  })
  await t.rejects(given, { message: 'changed our mind' })
  const aborted = db.transaction(async (tx) => {
    await insert(tx, 4)
    await insert(tx, 1).catch((error) => t.ok(isUniqueViolation(error)))
  })
  await t.rejects(aborted, { message: /nothing was committed/ }, 'even if nobody minds the statement that failed')
  t.same(await ids(), [1, 2])
  t.same(called, ['with 1,2'])
  t.same(db.stats(), { used: 0, waiting: 0 })
})

t.test(
  'all that a transaction notifies of goes out with its commit, in order, and nothing of a rollback',
  async (t) => {
    const { db, insert, direct } = await open(t)
    const heard: unknown[] = []
    await withClient(db.address, async (client) => {
      client.on('notification', ({ channel, payload }) => heard.push([channel, payload]))
      await client.query('listen one; listen other')
      const given = db.transaction(async (tx) => {
        tx.notify('one', 'never')
        throw new Error('changed our mind')
      })
      await t.rejects(given, { message: 'changed our mind' })
      await db.transaction(async (tx) => {
        tx.notify('one', 'first')
        tx.notify('other', 'second')
        await insert(tx, 1)
      })
      await direct.execute(sql`select pg_notify('one', 'later')`)
      while (heard.length < 3) await client.query('select')
    })
    t.same(heard, [
      ['one', 'first'],
      ['other', 'second'],
      ['one', 'later'],
    ])
  },
)

t.test('what fails after a commit is reported, and the commit stands', async (t) => {
  const reported: unknown[] = []
  const { db, insert, ids } = await open(t, { report: (error) => reported.push((error as Error).message) })
  const called: string[] = []
  const result = await db.transaction(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('at once')
    })
    tx.afterCommit(async () => Promise.reject(new Error('later')))
    tx.afterCommit(() => called.push('the next one'))
    await insert(tx, 1)
    return 'done'
  })
  t.same([result, reported, called, await ids()], ['done', ['at once', 'later'], ['the next one'], [1]])
})

t.test('a transaction that loses to a deadlock is tried again, and calls back once', async (t) => {
  const { db, direct, insert, ids } = await open(t)
  await direct.execute(sql`create table halves (id int primary key, uses int not null default 0)`)
  await direct.execute(sql`insert into halves values (1), (2)`)
  const use = (tx: Queries, id: number) => tx.execute(sql`update halves set uses = uses + 1 where id = ${id}`)
  const met = Promise.withResolvers<void>()
  let waiting = 0
  let tries = 0
  const called: number[] = []
  const crossing = (first: number, second: number) =>
    db.transaction(async (tx) => {
      tries++
      tx.afterCommit(() => called.push(first))
      await use(tx, first)
      if (++waiting === 2) met.resolve()
      await met.promise
      // Whatever the work makes of the error.
      await use(tx, second).catch(() => Promise.reject(new Error('something else')))
      await insert(tx, first)
      return first
    })
  t.same(await Promise.all([crossing(1, 2), crossing(2, 1)]), [1, 2])
  t.ok(tries > 2, 'one of them was tried again')
  t.same(
    [called.toSorted(), await ids()],
    [
      [1, 2],
      [1, 2],
    ],
  )
  t.same((await direct.execute(sql`select uses from halves`)).rows, [{ uses: 2 }, { uses: 2 }])
})

t.test(
  'a single statement that Postgres could not serialize is tried again, and no more than five times',
  async (t) => {
    const { db, direct } = await open(t)
    await direct.execute(sql`create sequence tries`)
    await direct.execute(sql`
    create function fail_until(enough int) returns int language plpgsql as $$ begin
      if nextval('tries') < enough then raise exception 'lost' using errcode = '40001'; end if;
      return currval('tries');
    end $$`)
    t.same((await db.execute(sql`select fail_until(3) as tries`)).rows, [{ tries: 3 }])
    const lost = db.transaction((tx) => tx.execute(sql`select fail_until(100)`))
    t.ok(await lost.then(() => false, isLate), 'which is answered with 503')
    t.same((await direct.execute(sql`select last_value::int as tries from tries`)).rows, [{ tries: 8 }])
  },
)

t.test('a transaction that read what others change is tried again, five times at most', async (t) => {
  const { db, insert, ids } = await open(t)
  let tries = 0
  const readUntil = (last: number) =>
    db.transaction(async (tx) => {
      tries++
      await insert(tx, tries)
      if (tries < last) throw new StaleRead()
      return tries
    })
  t.equal(await readUntil(3), 3)
  t.same(await ids(), [3])
  tries = 3
  t.ok(await readUntil(100).then(() => false, isLate))
  t.equal(tries, 8)
  t.same(await ids(), [3])
})

t.test('a connection whose COMMIT was refused serves the next transaction', async (t) => {
  const { db, direct, insert, ids, pid } = await open(t, { max: 1 })
  await direct.execute(sql`create table doubts (id int unique deferrable initially deferred)`)
  let backend = 0
  const refused = db.transaction(async (tx) => {
    backend = await pid(tx)
    await tx.execute(sql`insert into doubts values (1), (1)`)
  })
  t.ok(await refused.then(() => false, isUniqueViolation))
  const next = await db.transaction(async (tx) => {
    await insert(tx, 1)
    return pid(tx)
  })
  t.same([next, await ids()], [backend, [1]])
})

t.test('a write that met a deadline asks the database nothing more', async (t) => {
  const { db } = await open(t, { limits: { statement: 0.2 } })
  let asked = 0
  const execute = (query: SQL) => {
    asked++
    return db.execute(query)
  }
  const counted = { ...db, execute } as Database
  const late = sessionTransaction(counted, 'a token', (tx) => tx.execute(sql`select pg_sleep(1)`))
  t.ok(await late.then(() => false, isLate))
  t.equal(asked, 0)
})

t.test('statements that still run after a failed transaction write nothing', async (t) => {
  const { db, insert, ids } = await open(t, { max: 1 })
  const failed = Promise.withResolvers<void>()
  const straggler = Promise.withResolvers<unknown>()
  const over = db.transaction(async (tx) => {
    straggler.resolve(failed.promise.then(() => insert(tx, 1)).catch((error) => error.cause.message))
    throw new Error('failed')
  })
  await t.rejects(over)
  failed.resolve()
  t.equal(await straggler.promise, 'the transaction is over')
  t.same(await ids(), [])
})

t.test('a terminated connection fails its transaction, busy or idle, and the next one works', async (t) => {
  const { db, insert, ids, pid, terminate } = await open(t, { max: 1 })
  const busy = db.transaction(async (tx) => {
    const own = await pid(tx)
    await Promise.all([tx.execute(sql`select pg_sleep(5)`), terminate(own)])
  })
  await t.rejects(busy)
  const idle = db.transaction(async (tx) => {
    await insert(tx, 1)
    await terminate(await pid(tx))
    await sleep(50)
  })
  await t.rejects(idle)
  await db.transaction((tx) => insert(tx, 2))
  t.same(await ids(), [2])
})

t.test('a connection that does not answer is closed, also at the BEGIN', async (t) => {
  const { url } = await startOwnPostgres(t)
  const { db, insert, ids, pid } = await open(t, { url, max: 1, limits: { answer: 2 } })
  const silent = db.transaction(async (tx) => {
    silence(t, await pid(tx))
    t.ok(await insert(tx, 1).then(() => false, isLate))
  })
  await t.rejects(silent)
  silence(t, await pid(db))
  const next = db.transaction((tx) => insert(tx, 2))
  await t.rejects(next, { message: 'Query read timeout' })
  await db.transaction((tx) => insert(tx, 3))
  t.same(await ids(), [3])
  t.same(db.stats(), { used: 0, waiting: 0 })
})

t.test('deadlines end a statement, a lock, an idle transaction and waiting for a connection', async (t) => {
  const limits = { connect: 2, statement: 0.3, lock: 0.1, idleTransaction: 0.2 }
  const { db, direct, insert, ids, pid } = await open(t, { max: 1, limits })
  const late = async (work: Promise<unknown>, name: string) => t.ok(await work.then(() => false, isLate), name)
  const isThere = async (backend: number) =>
    (await direct.execute(sql`select from pg_stat_activity where pid = ${backend}`)).rowCount
  await late(db.execute(sql`select pg_sleep(1)`), 'a statement')
  const write = () => db.transaction((tx) => insert(tx, 1))
  await direct.transaction(async (tx) => {
    await tx.execute(sql`lock table things in share mode`)
    await late(write(), 'a lock')
  })
  const idle = db.transaction(async (tx) => {
    await insert(tx, 2)
    const own = await pid(tx)
    while (await isThere(own)) await sleep(5)
  })
  await t.rejects(idle, 'an idle transaction')
  const over = Promise.withResolvers<void>()
  const held = db.transaction(() => over.promise)
  while (db.stats().used < 1) await sleep(5)
  await late(write(), 'a connection')
  over.resolve()
  await held.catch(() => {})
  t.same(await ids(), [])
})

t.test('a deadline also ends connecting to a host that says nothing', async (t) => {
  const address = addressOf(`postgres://127.0.0.1:${await startAnswering(t)}/app`)
  const db = connect(address, 1, { connect: 0.1 })
  t.teardown(() => db.close())
  t.ok(await db.execute(sql`select 1`).then(() => false, isLate))
})
