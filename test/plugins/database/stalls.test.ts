import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../../drizzle/schema.ts'
import { connect } from '../../../plugins/database/index.ts'
import overload from '../../../plugins/http/overload.ts'
import { addressOf } from '../../helpers/address.ts'
import { startApp } from '../../helpers/app.ts'
import { createDatabase } from '../../helpers/database.ts'
import { untilWaiting } from '../../helpers/locks.ts'
import { signedUp } from '../../helpers/people.ts'
import { startProxy } from '../../helpers/proxy.ts'

t.test('pages are shown while more changes wait for a lock than there are connections', async (t) => {
  const { app, url } = await startApp(t) // six connections, of which three may write
  const { browser, slug, user } = await signedUp(app)
  const stranger = connect(addressOf(url), 2)
  t.teardown(() => stranger.$client.end({ timeout: 1 }))

  let saved = 0
  const change = async (n: number) => {
    const { statusCode } = await browser.request('PATCH', '/settings/profile', { body: { name: `Ada ${n}` } })
    t.equal(statusCode, 303)
    saved++
  }
  const changes = await stranger.transaction(async (tx) => {
    await tx.execute(sql`select from ${users} where id = ${user.id} for update`)
    const all = Promise.all(Array.from({ length: 20 }, (_, n) => change(n)))
    await untilWaiting(stranger, all)
    for (let n = 0; n < 20; n++) t.equal((await browser.send('GET', `/${slug}`)).statusCode, 200)
    t.equal(saved, 0, 'and none of the changes is over')
    t.equal(app.db.stats().used, 3)
    return { all }
  })
  await changes.all
  t.equal(saved, 20)
  t.same(app.db.stats(), { used: 0, waiting: 0 })
})

const held = async (t: Test) => {
  const db = connect(addressOf(await createDatabase(t)), 6, undefined, { wait: 0.2 })
  t.teardown(() => db.$client.end({ timeout: 1 }))
  await db.execute(sql`create table things (id int primary key)`)
  const over = Promise.withResolvers<void>()
  const open = [1, 2, 3].map((id) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into things values (${id})`)
      await over.promise
    }),
  )
  return { db, release: () => Promise.all([over.resolve(), ...open]) }
}

t.test('waiting for a place to write ends, and takes none', async (t) => {
  const { db, release } = await held(t)
  await t.rejects(db.execute(sql`delete from things`), { cause: { code: 'POOL_TIMEOUT' } })
  await t.rejects(
    db.transaction((tx) => tx.execute(sql`delete from things`)),
    { code: 'POOL_TIMEOUT' },
  )
  t.same(db.stats(), { used: 3, waiting: 0 })
  await release()
  t.same(db.stats(), { used: 0, waiting: 0 })
  await Promise.all(Array.from({ length: 12 }, (_, n) => db.execute(sql`insert into things values (${n + 10})`)))
  t.equal((await db.execute(sql`select from things`)).length, 15)
})

t.test('a write that waited is made as soon as there is a place', async (t) => {
  const { db, release } = await held(t)
  const write = db.execute(sql`delete from things`)
  t.same(await db.select({ one: sql`1` }).from(sql`things`), [])
  t.same(await db.lookups.select({ one: sql`1` }).from(sql`things`), [])
  await release()
  t.equal((await write).count, 3)
})

t.test('of ten times what fits, all that is acknowledged is there, also while connections break', async (t) => {
  const url = await createDatabase(t)
  const proxy = await startProxy(t, url)
  const { app } = await startApp(t, { DATABASE_URL: proxy.url })
  const direct = connect(addressOf(url), 1)
  t.teardown(() => direct.$client.end({ timeout: 1 }))
  await direct.execute(sql`create table things (id int primary key, isWhole boolean)`)
  await app.register(async (site) => {
    await site.register(overload, { maxInFlight: 20, maxQueued: 100, timeoutMs: 60_000 })
    site.post<{ Params: { id: string } }>('/things/:id', ({ params: { id } }) =>
      app.db.transaction(async (tx) => {
        await tx.execute(sql`insert into things values (${id}, false)`)
        await tx.execute(sql`update things set isWhole = true where id = ${id}`)
        return { id }
      }),
    )
  })

  const answers = new Map<number, string[]>()
  const write = async (_: unknown, n: number) => {
    const id = String(n)
    const { statusCode } = await app.inject({ method: 'POST', url: `/things/${id}` })
    const ids = answers.get(statusCode) ?? []
    answers.set(statusCode, [...ids, id])
    if (statusCode === 200 && [5, 25, 45].includes(ids.length)) proxy.breakAll('resetAndDestroy')
  }
  await Promise.all(Array.from({ length: 1_200 }, write))
  const rows = await direct.execute<{ id: number }>(sql`select id from things where isWhole`)
  const there = new Set(rows.map(({ id }) => String(id)))
  const acknowledged = answers.get(200) ?? []
  t.ok(acknowledged.length > 45, `${acknowledged.length} were acknowledged`)
  t.same(
    acknowledged.filter((id) => !there.has(id)),
    [],
  )
  t.ok((answers.get(503)?.length ?? 0) > 500, 'most are refused')
  t.ok(answers.has(500), 'some were broken off')
  t.same([...answers.keys()].sort(), [200, 500, 503])
})
