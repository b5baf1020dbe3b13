import t, { type Test } from 'tap'
import { broadcast, type Channel } from '../../plugins/live/broadcast.ts'
import { listen, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { signedUp } from '../helpers/people.ts'
import { type Frame, isMessage, openStream, perform } from '../helpers/sse.ts'

type Line = { text: string; to?: number; breaksFor?: number }

/** Everyone who knows a room's word may subscribe to it. */
const roomChannel: Channel<'word', Line> = {
  name: 'RoomChannel',
  params: ['word'],
  subscribe: async (_db, subscribers) =>
    subscribers.map(({ params }) => (params.word === '' ? undefined : params.word)),
  // A private line takes longer to filter, and must still arrive before the next one.
  filter: async ({ to, breaksFor }, { userId }) => {
    if (breaksFor === userId) throw new Error('the filter is broken')
    if (to !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    return to === undefined || to === userId
  },
  actions: {
    say: ({ db, key }, data) =>
      db.transaction((tx) => broadcast(tx, roomChannel, key, { text: String((data as { text: string }).text) })),
  },
}

const identifierOf = (word: string) => JSON.stringify({ channel: 'RoomChannel', word })
const textOf = ({ message }: Frame) => message.text

const { app, db } = await startApp(t)
app.live.channel(roomChannel)
await listen(app)

/** A stream that is subscribed to the rooms with these words. */
async function open(t: Test, browser: Browser, ...words: string[]) {
  const stream = await openStream(t, app, browser, words.map(identifierOf))
  await stream.until(() => stream.frames.length === words.length)
  return stream
}

const say = (word: string, line: Line) => db.transaction((tx) => broadcast(tx, roomChannel, word, line))

t.test('a message reaches each subscriber whom the filter lets it reach, once, and nobody else', async (t) => {
  const [ana, ben] = [await signedUp(app), await signedUp(app)]
  const [blue, both] = [await open(t, ana.browser, 'blue'), await open(t, ben.browser, 'blue', 'red')]
  await say('red', { text: 'to red' })
  await say('green', { text: 'to nobody' })
  await say('blue', { text: 'to blue' })
  t.same(await blue.next(isMessage), { identifier: identifierOf('blue'), message: { text: 'to blue' }, tab_id: null })
  await say('blue', { text: 'to Ana', to: ana.user.id })
  await say('blue', { text: 'the end', breaksFor: ana.user.id })
  await blue.untilEnded()
  await both.next((frame) => isMessage(frame) && textOf(frame) === 'the end')
  t.same(both.frames.filter(isMessage).map(textOf), ['to red', 'to blue', 'the end'])
  t.same(blue.frames.filter(isMessage).map(textOf), ['to blue', 'to Ana'])
})

t.test('a message is delivered after its commit, in order, and dropped by a rollback', async (t) => {
  const stream = await open(t, (await signedUp(app)).browser, 'blue')
  const rolledBack = db.transaction(async (tx) => {
    await broadcast(tx, roomChannel, 'blue', { text: 'never' })
    throw new Error('changed my mind')
  })
  await t.rejects(rolledBack, /changed my mind/)
  await db.transaction(async (tx) => {
    for (let n = 1; n <= 5; n++) await broadcast(tx, roomChannel, 'blue', { text: String(n) })
  })
  await say('blue', { text: '6' })
  await stream.next((frame) => isMessage(frame) && textOf(frame) === '6')
  t.same(stream.frames.filter(isMessage).map(textOf), ['1', '2', '3', '4', '5', '6'])
})

t.test('a message of 7,999 bytes arrives whole, and a longer one is an error in the code that sends it', async (t) => {
  const stream = await open(t, (await signedUp(app)).browser, 'blue')
  const texts = ['short', 'x'.repeat(7_800), 'NUL \0, half \ud800 and 😀', 'short', 'end']
  for (const text of texts) await say('blue', { text })
  for (const text of ['é'.repeat(4_000), 'x'.repeat(8_000)])
    await t.rejects(say('blue', { text }), { message: /must not be longer than 7999 bytes/ })
  await stream.next((frame) => isMessage(frame) && textOf(frame) === 'end')
  t.same(stream.frames.filter(isMessage).map(textOf), texts)
})

t.test('an action runs for subscribers, and is marked with the tab', async (t) => {
  const { browser } = await signedUp(app)
  const stream = await open(t, browser, 'blue')
  const say = (text: string, headers = {}) =>
    perform(browser, { identifier: identifierOf('blue'), action: 'say', data: { text } }, headers)

  const response = await say('hello', { 'x-tab-id': 'tab_A-1' })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.match(await stream.next(isMessage), { message: { text: 'hello' }, tab_id: 'tab_A-1' })
  for (const tab of ['<script>', '', 'a b', 'x'.repeat(65)]) {
    const from = stream.frames.length
    await say('again', { 'x-tab-id': tab })
    t.match(await stream.next(isMessage, from), { message: { text: 'again' }, tab_id: null }, tab)
  }
})

t.test('an unknown action is a 404, an invalid body a 400, a forged request a 422', async (t) => {
  const { browser, slug } = await signedUp(app)
  const account = JSON.stringify({ account: slug, channel: 'AccountChannel' })
  for (const [identifier, action] of [
    [identifierOf('blue'), 'shout'],
    [identifierOf('blue'), 'constructor'],
    [identifierOf('blue'), '__proto__'],
    [identifierOf(''), 'say'],
    [account, 'say'],
    ['no JSON', 'say'],
  ] as const) {
    const response = await perform(browser, { identifier, action, data: { text: 'x' } }, { accept: 'application/json' })
    t.equal(response.statusCode, 404, `${identifier} ${action}`)
    t.same(response.json(), { status: 404, error: 'Not Found' })
  }
  for (const identifier of ['x'.repeat(513), 1, undefined]) {
    t.equal((await perform(browser, { identifier, action: 'say' })).statusCode, 400)
  }
  const body = { identifier: identifierOf('blue'), action: 'say', data: { text: 'x' } }
  t.equal((await browser.precognize('POST', '/live/perform', body)).statusCode, 400)
  t.equal((await browser.send('POST', '/live/perform', { body })).statusCode, 422)
})
