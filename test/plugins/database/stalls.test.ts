import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../../drizzle/schema.ts'
import { connect } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { startApp } from '../../helpers/app.ts'
import { createDatabase } from '../../helpers/database.ts'
import { untilWaiting } from '../../helpers/locks.ts'
import { signedUp } from '../../helpers/people.ts'

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
    t.equal(app.db.use().used, 3)
    return { all }
  })
  await changes.all
  t.equal(saved, 20)
  t.same(app.db.use(), { used: 0, waiting: 0 })
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
  t.same(db.use(), { used: 3, waiting: 0 })
  await release()
  t.same(db.use(), { used: 0, waiting: 0 })
  await Promise.all(Array.from({ length: 12 }, (_, n) => db.execute(sql`insert into things values (${n + 10})`)))
  t.equal((await db.execute(sql`select from things`)).length, 15)
})

t.test('a write that waited is made as soon as there is a place', async (t) => {
  const { db, release } = await held(t)
  const write = db.execute(sql`delete from things`)
  const read = db.execute(sql`select from things`)
  t.same(await read, [])
  await release()
  t.equal((await write).count, 3)
})
