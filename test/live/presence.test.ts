import { sql } from 'drizzle-orm'
import t from 'tap'
import { presences } from '../../drizzle/schema.ts'
import { statementsDuring } from '../helpers/database.ts'
import { liveAcme, sharedAcme, sharedLiveAcme, signedUp } from '../helpers/people.ts'
import { accountIdentifier, acme, beat, type Frame, isPresence, leave, openStream } from '../helpers/sse.ts'

t.test('arrivals, changes and departures are announced; an unchanged heartbeat is not', async (t) => {
  const { app, db, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  const stream = await openStream(t, app, member.browser, [acme])
  t.same(await stream.next(isPresence), { identifier: acme, type: 'presence', present: [], tab_id: null })
  let seen = stream.frames.length
  const next = async () => {
    const frame = await stream.next(isPresence, seen)
    seen = stream.frames.indexOf(frame) + 1
    return frame
  }

  const here = (state: object) => [{ user_id: owner.user.id, name: owner.person.name, picture: null, state }]
  const answer = await beat(owner.browser, { tab_id: 'tab-1', state: { typing: false } })
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), { present: here({ typing: false }) })
  t.same(await next(), { identifier: acme, type: 'presence', present: here({ typing: false }), tab_id: 'tab-1' })

  await beat(owner.browser, { tab_id: 'tab-1', state: { typing: false } })
  await beat(owner.browser, { tab_id: 'tab-1', state: { typing: true } })
  t.same((await next()).present, here({ typing: true }), 'the identical heartbeat in between was silent')
  await db.execute(sql`update presences set expires_at = now() - interval '1 second'`)
  await beat(owner.browser, { tab_id: 'tab-1', state: { typing: true } })
  while ((await next()).present.length === 0); // if they were found to be gone before they came back

  const late = await openStream(t, app, member.browser, [acme])
  t.same((await late.next(isPresence)).present, here({ typing: true }), 'who comes late sees who is there')

  const left = await leave(owner.browser, { tab_id: 'tab-1' })
  t.equal(left.statusCode, 204)
  t.same(await next(), { identifier: acme, type: 'presence', present: [], tab_id: 'tab-1' })
})

t.test('a person with several tabs is present once, until the last tab is gone', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  const stream = await openStream(t, app, member.browser, [acme])
  const states = (frame: Frame) => frame.present.map(({ state }: Frame) => state)
  const statesAfter = async (tab_id: string, at: string) =>
    states((await beat(owner.browser, { tab_id, state: { at } })).json())

  await statesAfter('tab-1', 'one')
  t.same(await statesAfter('tab-2', 'two'), [{ at: 'two' }], 'the tab that changed last speaks')
  t.same(await statesAfter('tab-1', 'one'), [{ at: 'two' }], 'not the one that is alive')
  await leave(member.browser, { tab_id: 'tab-1' })
  t.same(await statesAfter('tab-2', 'two'), [{ at: 'two' }], 'nobody removes the tab of another')
  const before = stream.frames.length
  await leave(owner.browser, { tab_id: 'tab-2' })
  await stream.next((frame) => isPresence(frame) && states(frame)[0]?.at === 'one', before)
  const from = stream.frames.length
  await leave(owner.browser, { tab_id: 'tab-1' })
  t.same((await stream.next(isPresence, from)).present, [])
})

t.test('a person without a heartbeat for 30 seconds is gone, even if the process died', async (t) => {
  const { app, db, owner, join } = await liveAcme(t, {}, { liveIntervalMs: 60 })
  const member = await join('member')
  const stream = await openStream(t, app, member.browser, [acme])
  await beat(owner.browser, { tab_id: 'tab-1' })
  await stream.next((frame) => isPresence(frame) && frame.present.length === 1)

  const { rows } = await db.execute(sql`select extract(epoch from expires_at - now())::float as left from presences`)
  t.ok(Number(rows[0]?.left) > 25 && Number(rows[0]?.left) <= 30)
  const from = stream.frames.length
  await db.execute(sql`update presences set expires_at = now() - interval '1 second'`)
  t.same((await stream.next(isPresence, from)).present, [])
  t.equal(await db.$count(presences), 0)
})

t.test('a page that hears of others by its stream gets no list, for three statements', async (t) => {
  const { db, owner } = await sharedAcme(t)
  const minimal = { prefer: 'respond-async, return=minimal' }
  await beat(owner.browser, { tab_id: 'tab-1' })
  const statements = await statementsDuring(async () => {
    const { statusCode, body } = await beat(owner.browser, { tab_id: 'tab-1' }, minimal)
    t.same([statusCode, body], [204, ''])
  })
  t.equal(statements.length, 3)
  await beat(owner.browser, { tab_id: 'tab-2' }, minimal)
  t.equal(await db.$count(presences), 2)
})

t.test('a heartbeat without access is a 404 and registers nobody', async (t) => {
  const { app, db } = await sharedAcme(t)
  const stranger = await signedUp(app)
  for (const on of [acme, accountIdentifier('nothing'), 'no JSON', '{"channel":"Other"}']) {
    t.equal((await beat(stranger.browser, { identifier: on, tab_id: 'tab-1' })).statusCode, 404, on)
  }
  t.equal((await leave(stranger.browser, { tab_id: 'tab-1' })).statusCode, 204, 'who is not there has left')
  t.equal(await db.$count(presences), 0)
})

t.test('a bad tab id or state is refused', async (t) => {
  const { db, owner } = await sharedAcme(t)
  for (const tab of ['', 'a b', '<script>', 'x'.repeat(65), 1, null, undefined]) {
    t.equal((await beat(owner.browser, { tab_id: tab })).statusCode, 400, String(tab))
  }
  const padded = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) })
  t.equal(JSON.stringify(padded(1024)).length, 1024)
  for (const state of ['typing', 1, [], padded(1025), { a: 'é'.repeat(600) }, { a: 'a\0b' }, { a: '\ud800' }]) {
    t.equal((await beat(owner.browser, { tab_id: 'tab-1', state })).statusCode, 400, JSON.stringify(state).slice(0, 20))
  }
  t.equal(await db.$count(presences), 0)
  for (const state of [padded(1024), { a: '\\u0000' }, { a: '😀' }, null, undefined]) {
    const { statusCode } = await beat(owner.browser, { tab_id: 'tab-1', state })
    t.equal(statusCode, 200, JSON.stringify(state)?.slice(0, 20))
  }
})

t.test('a page of another person writes nothing where the answer is JSON', async (t) => {
  const { db, owner, join } = await sharedAcme(t)
  const { browser } = await join('member')
  const headers = { 'x-signed-in-as': String(owner.user.id), accept: 'text/html', ...browser.csrfHeader() }
  const body = { identifier: acme, tab_id: 'tab-1', action: 'none', data: {} }
  for (const [method, url] of [
    ['POST', '/live/presence'],
    ['DELETE', '/live/presence'],
    ['POST', '/live/perform'],
  ] as const) {
    const response = await browser.send(method, url, { body, headers })
    t.match(response, { statusCode: 409, body: '{"status":409,"error":"Conflict"}' }, `${method} ${url}`)
  }
  t.equal(await db.$count(presences), 0)
})
