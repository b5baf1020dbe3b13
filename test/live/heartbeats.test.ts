import { sql } from 'drizzle-orm'
import t from 'tap'
import { cancelIfTimedOut, observeQueries, type Queries } from '../../plugins/database/queries.ts'
import { batched } from '../../plugins/live/batched.ts'
import type { Channel } from '../../plugins/live/index.ts'
import { forgetPresence } from '../../plugins/live/presence.ts'
import { startAcme } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { createDatabase } from '../helpers/database.ts'
import { intercept } from '../helpers/intercept.ts'
import { listen } from '../helpers/listen.ts'
import { untilWaiting } from '../helpers/locks.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { accountIdentifier, type Frame, openStream } from '../helpers/sse.ts'

const acme = accountIdentifier('acme')
const isPresence = ({ type }: Frame) => type === 'presence'

const beat = (browser: Browser, tab_id = 'tab-1', { on = acme, state = {}, headers = {} } = {}) =>
  browser.send('POST', '/live/presence', {
    body: { identifier: on, tab_id, state },
    headers: { ...browser.csrfHeader(), ...headers },
  })
const statusOf = async (answer: ReturnType<typeof beat>) => (await answer).statusCode
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

t.test('a client that prefers a minimal response gets an empty one, and is still present', async (t) => {
  const { app } = await startApp(t)
  await listen(app)
  const { owner, join } = await startAcme(app)
  const stream = await openStream(t, app, (await join('member')).browser, [acme])
  await stream.next(isPresence)
  const from = stream.frames.length
  const answer = await beat(owner.browser, 'tab-1', { headers: { prefer: 'respond-async, return=minimal; wait=5' } })
  t.equal(answer.statusCode, 204)
  t.equal(answer.body, '')
  t.equal(answer.headers['preference-applied'], 'return=minimal')
  const here = [{ user_id: owner.user.id, name: owner.person.name, picture: null, state: {} }]
  t.same((await stream.next(isPresence, from)).present, here)
  for (const prefer of ['return=representation', 'return=minimalistic', 'noreturn=minimal']) {
    t.same((await beat(owner.browser, 'tab-1', { headers: { prefer } })).json(), { present: here }, prefer)
  }
})

t.test('concurrent heartbeats each get their own response', async (t) => {
  const { app, db } = await startApp(t)
  const { owner, join } = await startAcme(app)
  const [member, ended, stranger] = [await join('member'), await join('member'), await signedUp(app)]
  const guest = await Browser.open(app)
  await db.execute(sql`delete from sessions where user_id = ${ended.user.id}`)

  const answers = await Promise.all([
    beat(owner.browser),
    beat(ended.browser),
    beat(stranger.browser),
    beat(guest),
    beat(member.browser),
    beat(member.browser, 'tab-1', { on: accountIdentifier(stranger.slug) }),
    beat(stranger.browser, 'tab-1', { on: accountIdentifier(stranger.slug) }),
  ])
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [200, 302, 404, 302, 200, 404, 200],
  )
  for (const answer of [answers[1], answers[3]]) t.equal(answer?.headers.location, '/sign_in')
  const people = (answer?: (typeof answers)[number]) => answer?.json().present.map(({ user_id }: Frame) => user_id)
  t.same(people(answers[6]), [stranger.user.id])
  t.same(people(await beat(owner.browser)), [owner.user.id, member.user.id])
})

t.test('an expired session is redirected to the sign-in page and is not present', async (t) => {
  const { app, db, clock } = await startApp(t, { SESSION_IDLE: '30m' })
  const { owner } = await startAcme(app)
  t.equal(await statusOf(beat(owner.browser)), 200)
  await db.execute(sql`delete from presences`)
  clock.forward({ minutes: 31 })
  const answer = await beat(owner.browser)
  t.equal(answer.headers.location, '/sign_in')
  t.equal((await db.execute(sql`select 1 from presences`)).length, 0)
})

t.test('concurrent heartbeats share their statements', async (t) => {
  const { app } = await startApp(t)
  const { owner, join } = await startAcme(app)
  const people = [owner, await join('member'), await join('admin')]
  const all = () =>
    times(60, (n) => statusOf(beat(people[n % 3]?.browser ?? owner.browser, `tab-${Math.floor(n / 3)}`)))
  let statements = 0
  for (const client of app.db.clients) {
    intercept(client, (unsafe, asked) => {
      statements++
      return unsafe(...asked)
    })
  }
  t.same(new Set(await all()), new Set([200]))
  t.ok(statements < 60, `${statements} for 60 who come`)
  statements = 0
  t.same(new Set(await all()), new Set([200]))
  t.ok(statements < 60, `${statements} for 60 who stay`)
})

t.test('an unchanged heartbeat updates its row in place, without touching the indexes', async (t) => {
  const { app, db } = await startApp(t, { DATABASE_POOL: '1' })
  const { owner } = await startAcme(app)
  await beat(owner.browser)
  const updates = async () => {
    await db.execute(sql`select pg_stat_force_next_flush()`) // there is only one connection
    const [row] = await db.execute<{ all: number; hot: number }>(sql`
      select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'presences'`)
    return row ?? { all: 0, hot: 0 }
  }
  const before = await updates()
  for (let n = 0; n < 100; n++) await beat(owner.browser)
  const after = await updates()
  t.equal(after.all - before.all, 100)
  t.equal(after.hot - before.hot, 100)
})

t.test('a process that began with few people present looks up each of many later ones by the index', async (t) => {
  const { app, db } = await startApp(t, { DATABASE_POOL: '1' })
  const { owner } = await startAcme(app)
  const many = 5_000
  const read = async () => {
    await db.execute(sql`select pg_stat_force_next_flush()`) // there is only one connection
    const [row] = await db.execute<{ count: number }>(sql`
      select seq_tup_read::int as count from pg_stat_user_tables where relname = 'presences'`)
    return row?.count ?? 0
  }
  await beat(owner.browser)
  await db.execute(sql`analyze presences`)
  for (let n = 0; n < 10; n++) await beat(owner.browser, 'tab-1', { state: { n } })
  await db.execute(sql`
    insert into presences (identifier, user_id, tab_id, state, expires_at)
    select 'elsewhere:' || n, n, 'tab-1', '{}', now() + interval '1 hour' from generate_series(1, ${many}::int) n`)
  const before = await read()
  for (let n = 10; n < 20; n++) await beat(owner.browser, 'tab-1', { state: { n } })
  for (let n = 0; n < 10; n++) await beat(owner.browser)
  const scans = ((await read()) - before) / many
  t.ok(scans < 10, `${scans} scans of the table for 20 heartbeats`) // the search for expired entries is one as well
})

t.test('a failing heartbeat affects its batch, but not later ones', async (t) => {
  const { app } = await startApp(t)
  const { browser } = await signedUp(app)
  let isBroken = true
  const room: Channel = {
    name: 'RoomChannel',
    params: [],
    presence: true,
    subscribe: async (_db, subscribers) => {
      if (isBroken) throw new Error('it is out of order')
      return subscribers.map(() => 'here')
    },
  }
  app.live.channel(room)
  const on = JSON.stringify({ channel: 'RoomChannel' })
  const five = () => times(5, (n) => statusOf(beat(browser, `tab-${n}`, { on })))
  t.same(new Set(await five()), new Set([500]))
  isBroken = false
  t.same(new Set(await five()), new Set([200]))
})

t.test('an aborted request does not affect others of its batch', async (t) => {
  const { db } = await startApp(t)
  const answers = batched(async (_askers: object[]) => {
    await db.execute(sql`select 1`)
    return 'answered'
  })
  const givenUp = new AbortController()
  const observed: Queries = { count: 0, ms: 0, signal: givenUp.signal, running: new Set() }
  const first = observeQueries(observed, () => answers({})) as unknown as Promise<string>
  const second = answers({})
  givenUp.abort(Object.assign(new Error('it took too long'), { code: 'FST_ERR_HANDLER_TIMEOUT' }))
  cancelIfTimedOut(observed)
  t.equal(await second, 'answered')
  t.equal(await first, 'answered', 'to whom nobody listens any more')
})

t.test('a tab that reaches two processes concurrently keeps its age', async (t) => {
  const { app, db } = await startApp(t)
  const { owner } = await startAcme(app)
  await beat(owner.browser, 'tab-1', { state: { at: 'one' } })
  await beat(owner.browser, 'tab-2', { state: { at: 'two' } })
  let waiting: ReturnType<typeof beat> | undefined
  await db.transaction(async (tx) => {
    await tx.execute(sql`update presences set expires_at = now() + interval '30 seconds' where tab_id = 'tab-1'`)
    waiting = beat(owner.browser, 'tab-1', { state: { at: 'one' } })
    await untilWaiting(db, waiting)
  })
  t.match((await waiting)?.json(), { present: [{ state: { at: 'two' } }] })
})

t.test('heartbeats, departures and deletions of several processes never deadlock', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  const apps = [(await startApp(t, { DATABASE_URL })).app, (await startApp(t, { DATABASE_URL })).app] as const
  const [here, there] = apps
  const { owner } = await startAcme(here)
  await owner.browser.submit('POST', '/accounts', { name: 'Other' })
  const browsers = [owner.browser, (await signedIn(there, owner.person)).browser]
  const rooms = [acme, accountIdentifier('other')]
  const tabs = Array.from({ length: 12 }, (_, n) => `tab-${n}`)

  for (let round = 0; round < 2; round++) {
    const beats = browsers.flatMap((browser, side) => {
      const order = rooms.flatMap((on) => tabs.map((tab) => ({ on, tab })))
      if (side === 1) order.reverse()
      return order.map(({ on, tab }) => statusOf(beat(browser, tab, { on, state: { round } })))
    })
    const leaving = Array.from({ length: 10 }, (_, n) =>
      (apps[n % 2] ?? here).db.transaction((tx) => forgetPresence(tx, owner.user.id)),
    )
    const statuses = await Promise.all(beats)
    await Promise.all(leaving)
    t.same(new Set(statuses), new Set([200]))
  }
})
