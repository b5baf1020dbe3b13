import { eq } from 'drizzle-orm'
import t from 'tap'
import { presences } from '../../drizzle/schema.ts'
import { sharedAcme, sharedLiveAcme, signedIn } from '../helpers/people.ts'
import { acme, beat, type Frame, isConfirmed, isMessage, leave, openStream, perform } from '../helpers/sse.ts'

t.test('a person may have 30 open streams, and one more closes the oldest', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const bystander = await openStream(t, app, (await join('member')).browser, [acme])
  const elsewhere = (await signedIn(app, owner.person)).browser

  const [oldest, ...others] = await Array.fromAsync({ length: 31 }, async (_, n) => {
    const stream = await openStream(t, app, n % 2 ? elsewhere : owner.browser, [acme])
    await stream.next(isConfirmed)
    return stream
  })
  await oldest?.untilEnded()
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  for (const stream of [...others, bystander]) await stream.next(isMessage)
  t.equal(others.length, 30, 'of all sessions together')
})

t.test('heartbeats, departures and actions share what a session may write in a minute', async (t) => {
  const { clock, owner } = await sharedAcme(t)
  const { browser } = owner
  const body = { tab_id: 'tab-1', action: 'none' }
  for (let count = 0; count < 40; count++) {
    t.equal((await beat(browser, body)).statusCode, 200)
    t.equal((await perform(browser, body)).statusCode, 404)
    t.equal((await leave(browser, body)).statusCode, 204)
  }
  for (const write of [perform, leave, beat]) {
    const refused = await write(browser, body)
    t.match(refused, { statusCode: 429, headers: { 'retry-after': /^[1-6]?\d$/ } })
    t.same(refused.json(), { status: 429, error: 'Too Many Requests', message: 'Try again later.' })
  }
  clock.forward({ seconds: 60 })
  t.equal((await beat(browser, body)).statusCode, 200)
})

t.test('a person may be present with 20 tabs, and one more replaces the oldest', async (t) => {
  const { db, owner, join } = await sharedAcme(t)
  const member = await join('member')
  await beat(member.browser, { tab_id: 'tab-0' })
  const tabs = async () => {
    const rows = await db.select().from(presences).where(eq(presences.userId, owner.user.id)).orderBy(presences.tabId)
    return rows.map(({ tabId }) => tabId)
  }
  for (let n = 10; n < 30; n++) await beat(owner.browser, { tab_id: `tab-${n}` })
  await beat(owner.browser, { tab_id: 'tab-10', state: { typing: true } })
  await beat(owner.browser, { tab_id: 'tab-99' })
  const expected = ['tab-10', ...Array.from({ length: 18 }, (_, n) => `tab-${n + 12}`), 'tab-99']
  t.same(await tabs(), expected, 'a tab that changed is no old one')

  await Promise.all(Array.from({ length: 60 }, (_, n) => beat(owner.browser, { tab_id: `other-${n}` })))
  t.equal((await tabs()).length, 20, 'also when they come at once')
  t.equal(await db.$count(presences, eq(presences.userId, member.user.id)), 1)
})

t.test('an identifier that is asked for twice is subscribed once', async (t) => {
  const { app, owner } = await sharedLiveAcme(t)
  const stream = await openStream(t, app, owner.browser, [acme, acme])
  await stream.next(isConfirmed)
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Ltd' })
  const isAccount = ({ message }: Frame) => message?.type === 'account'
  await stream.until(() => stream.frames.filter(isAccount).length >= 2)
  t.equal(stream.frames.filter(isConfirmed).length, 1)
  t.equal(stream.frames.filter(isAccount).length, 2)
})
