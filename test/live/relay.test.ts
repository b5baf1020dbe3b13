import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { observeQueries, type Queries } from '../../plugins/database/queries.ts'
import { broadcast, type Channel } from '../../plugins/live/index.ts'
import { startApp } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { listen } from '../helpers/listen.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { type Frame, openStream } from '../helpers/sse.ts'

type Line = { text: string }
const roomChannel: Channel<'word', Line> = {
  name: 'RoomChannel',
  params: ['word'],
  subscribe: async (_db, subscribers) => subscribers.map(({ params }) => params.word),
}
const identifier = JSON.stringify({ channel: 'RoomChannel', word: 'blue' })
const isLine = ({ message }: Frame) => message !== undefined
const textOf = ({ message }: Frame) => message.text
const says = (text: string) => (frame: Frame) => isLine(frame) && textOf(frame) === text

/** Two processes on one database, each with a stream. */
async function startTwo(t: Test) {
  const DATABASE_URL = await createDatabase(t)
  const apps = [(await startApp(t, { DATABASE_URL })).app, (await startApp(t, { DATABASE_URL })).app] as const
  for (const app of apps) {
    app.live.channel(roomChannel)
    await listen(app)
  }
  const [here, there] = apps
  const { browser, person } = await signedUp(here)
  const other = (await signedIn(there, person)).browser
  const streams = [
    await openStream(t, here, browser, [identifier]),
    await openStream(t, there, other, [identifier]),
  ] as const
  for (const stream of streams) await stream.until(() => stream.frames.length === 1)
  const say = (text: string, { db } = here) => db.transaction((tx) => broadcast(tx, roomChannel, 'blue', { text }))
  const everybodyHears = (text: string) => Promise.all(streams.map((stream) => stream.next(says(text))))
  return { here, there, db: here.db, streams, say, everybodyHears }
}

t.test('all processes receive messages in the order of the commits', async (t) => {
  const { here, there, db, streams, everybodyHears } = await startTwo(t)
  await db.execute(sql`create table turns (n int); insert into turns values (0)`)
  // The row lock makes each transaction commit before the next one gets its number.
  const speak = async (app: typeof here, times: number) => {
    for (; times > 0; times--) {
      await app.db.transaction(async (tx) => {
        const [turn] = await tx.execute<{ n: number }>(sql`update turns set n = n + 1 returning n`)
        await broadcast(tx, roomChannel, 'blue', { text: String(turn?.n) })
      })
    }
  }
  await Promise.all([here, there, here, there, here].map((app) => speak(app, 40)))
  await everybodyHears('200')
  const expected = Array.from({ length: 200 }, (_, n) => String(n + 1))
  for (const { frames } of streams) t.same(frames.filter(isLine).map(textOf), expected)
})

t.test('a long transaction delays nobody, and its messages arrive when it commits', async (t) => {
  const { db, streams, say, everybodyHears } = await startTwo(t)
  await db.transaction(async (tx) => {
    await broadcast(tx, roomChannel, 'blue', { text: 'early, but late' })
    await say('meanwhile')
    await everybodyHears('meanwhile')
  })
  await everybodyHears('early, but late')
  for (const { frames } of streams) t.same(frames.filter(isLine).map(textOf), ['meanwhile', 'early, but late'])
})

t.test('messages of a process that died right after the commit still arrive', async (t) => {
  const { db, streams, say, everybodyHears } = await startTwo(t)
  const room = 'RoomChannel:blue'
  const payload = JSON.stringify({ kind: 'message', room, message: { text: 'last words' }, tab_id: null })
  await db.execute(sql`insert into live_outbox (payload) values (${payload})`)
  await everybodyHears('last words')
  await say('and on')
  await everybodyHears('and on')
  for (const { frames } of streams) t.same(frames.filter(isLine).map(textOf), ['last words', 'and on'])
})

t.test('a message that cannot be stored takes its transaction with it', async (t) => {
  const { db, say, everybodyHears } = await startTwo(t)
  await db.execute(sql`create table words (word text)`)
  await db.execute(sql`alter table live_outbox add check (payload not like '%unspeakable%')`)
  const speak = db.transaction(async (tx) => {
    await tx.execute(sql`insert into words values ('unspeakable')`)
    await broadcast(tx, roomChannel, 'blue', { text: 'unspeakable' })
  })
  await t.rejects(speak, { code: '23514' })
  t.same(await db.execute(sql`select * from words`), [])
  await say('and on')
  await everybodyHears('and on')
})

t.test('a message after the end of its transaction is an error', async (t) => {
  const { db } = await startTwo(t)
  const tx = await db.transaction(async (tx) => {
    await broadcast(tx, roomChannel, 'blue', { text: 'in time' })
    return tx
  })
  await t.rejects(broadcast(tx, roomChannel, 'blue', { text: 'too late' }), /need an open transaction/)
})

t.test('sending is no part of the request that caused it, which may be cancelled', async (t) => {
  const { say, everybodyHears } = await startTwo(t)
  const observed: Queries = { count: 0, ms: 0, running: new Set() }
  await observeQueries(observed, () => say('and off it goes'))
  t.equal(observed.running.size, 0)
  await everybodyHears('and off it goes')
})

t.test('repeated messages arrive each time, but once per transaction', async (t) => {
  const { db, streams, say, everybodyHears } = await startTwo(t)
  await db.transaction(async (tx) => {
    for (const text of ['same', 'other', 'same']) await broadcast(tx, roomChannel, 'blue', { text })
  })
  await Promise.all([say('same'), say('same'), say('same')])
  await say('end')
  await everybodyHears('end')
  for (const { frames } of streams) {
    t.same(frames.filter(isLine).map(textOf), ['same', 'other', 'same', 'same', 'same', 'end'])
  }
})

t.test('a flood arrives completely and in order, and nothing is left over', async (t) => {
  const { db, streams, everybodyHears } = await startTwo(t)
  const short = Array.from({ length: 400 }, (_, n) => `short ${n}`)
  // Sizes around the limit of a notification.
  const long = Array.from({ length: 120 }, (_, n) => `${n} ${'é'.repeat((n * 97) % 4_200)}`)
  for (const texts of [short, long]) {
    await db.transaction((tx) => Promise.all(texts.map((text) => broadcast(tx, roomChannel, 'blue', { text }))))
    await everybodyHears(texts.at(-1) ?? '')
  }
  for (const { frames } of streams) t.same(frames.filter(isLine).map(textOf), [...short, ...long])
  t.same(await db.execute(sql`select * from live_outbox`), [])
})

t.test('an unreadable event ends the streams, since something was missed', async (t) => {
  const { db, streams } = await startTwo(t)
  await db.execute(sql`select pg_notify('live', '{"kind":"stored","id":4711}')`)
  for (const stream of streams) await stream.untilEnded()
  t.pass('and pages load what they show')
})
