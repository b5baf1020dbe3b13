import t from 'tap'
import { Browser } from '../helpers/browser.ts'
import { invite, liveAcme, password, sharedLiveAcme, sharedPerson, signedUp, somebody } from '../helpers/people.ts'
import { accountIdentifier, acme, type Frame, isConfirmed, isPresence, openStream, streamUrl } from '../helpers/sse.ts'

const isActivity = ({ message }: Frame) => message?.type === 'activity'
const isMessage = (frame: Frame) => frame.message !== undefined && !isActivity(frame)

t.test('a stream begins with the retry interval, and then answers each subscription in order', async (t) => {
  const { app, owner } = await sharedLiveAcme(t)
  const own = accountIdentifier(owner.slug)
  const stream = await openStream(t, app, owner.browser, [acme, own])

  await stream.until(() => stream.frames.length === 4)
  t.equal(stream.retry, 1000)
  t.same(stream.frames, [
    { type: 'confirm_subscription', identifier: acme },
    { identifier: acme, type: 'presence', present: [], tab_id: null },
    { type: 'confirm_subscription', identifier: own },
    { identifier: own, type: 'presence', present: [], tab_id: null },
  ])
  const { headers } = stream.response
  t.match(headers, {
    'content-type': 'text/event-stream',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /nonce/,
    'server-timing': /queries/,
  })
  t.equal(headers['content-encoding'], undefined)
  t.match(headers['cache-control'], /no-cache/)
})

t.test('a stream says regularly that it is alive, to proxies by a comment and to pages by an event', async (t) => {
  const { app, owner } = await liveAcme(t, {}, { liveIntervalMs: 40 })
  const stream = await openStream(t, app, owner.browser, [acme])
  await stream.until(() => stream.pings.length > 1)
  t.same(stream.comments.slice(0, 2), [':', ':'])
  t.same(stream.pings.slice(0, 2), Array(2).fill('event: ping\ndata: {}'))
})

t.test('forbidden and missing targets are rejected alike', async (t) => {
  const { app, owner } = await sharedLiveAcme(t)
  const stranger = await signedUp(app)
  const identifiers = [
    acme,
    accountIdentifier('nothing'),
    JSON.stringify({ account: 'acme', channel: 'OtherChannel' }),
    JSON.stringify({ channel: 'AccountChannel' }),
    JSON.stringify({ account: 1, channel: 'AccountChannel' }),
    JSON.stringify({ account: 'a\0b', channel: 'AccountChannel' }),
    JSON.stringify({ account: stranger.slug, channel: 'AccountChannel', more: 'x' }),
    '{"__proto__":"x","channel":"AccountChannel"}',
    '{"account":"acme","channel":"constructor"}',
    '["AccountChannel"]',
    'null',
    'no JSON',
    '',
  ]
  const stream = await openStream(t, app, stranger.browser, [...identifiers, accountIdentifier(stranger.slug)])
  await stream.next(isConfirmed)
  const refusals = identifiers.map((identifier) => ({ type: 'reject_subscription', identifier }))
  t.same(stream.frames.slice(0, identifiers.length), refusals)

  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await stranger.browser.submit('PATCH', `/${stranger.slug}/settings`, { name: 'Mine' })
  await stream.next(isMessage)
  const shownIdentifiers = stream.frames.filter(isMessage).map(({ identifier }) => identifier)
  t.same(shownIdentifiers, [accountIdentifier(stranger.slug)], 'nothing of Acme arrives')
})

t.test('a stream with invalid subscriptions is rejected', async (t) => {
  const { browser } = await sharedPerson(t)
  const own = JSON.stringify({ account: 'x'.repeat(470), channel: 'AccountChannel' })
  t.equal(own.length, 511)
  const malformed = [
    '/live',
    '/live?s=',
    '/live?s=acme',
    '/live?s={}',
    '/live?s=[1]',
    '/live?s=[null]',
    '/live?s=[]&s=[]',
    streamUrl([`${own}  `]),
    streamUrl(Array.from({ length: 33 }, () => '{}')),
  ]
  for (const url of malformed) t.equal((await browser.send('GET', url)).statusCode, 400, url.slice(0, 40))
  t.equal((await browser.send('HEAD', streamUrl(['{}']))).statusCode, 404)
})

t.test('every change of members, invitations and name is broadcast, with the tab that caused it', async (t) => {
  const { app, owner, join } = await sharedLiveAcme(t)
  const [member, leaver] = [await join('member'), await join('member')]
  const { id } = await invite(app, owner, '/acme', 'old@example.com')
  const stream = await openStream(t, app, member.browser, [acme])
  await stream.next(isPresence)
  const other = await openStream(t, app, member.browser, [accountIdentifier(member.slug)])
  await other.next(isPresence)
  for (const [type, method, path, body] of [
    ['account', 'PATCH', '/acme/settings', { name: 'Acme Inc.' }],
    ['members', 'PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' }],
    ['members', 'POST', '/acme/invitations', { email: 'new@example.com', role: 'member' }],
    ['members', 'POST', `/acme/invitations/${id}/resend`, {}],
    ['members', 'DELETE', `/acme/invitations/${id}`, {}],
    ['members', 'DELETE', `/acme/members/${leaver.membershipId}`, {}],
  ] as const) {
    const from = stream.frames.length
    await owner.browser.submit(method, path, body, { 'x-tab-id': 'tab-1' })
    const told = { identifier: acme, message: { type }, tab_id: 'tab-1' }
    t.same(await stream.next(({ message }) => message?.type === type, from), told, `${method} ${path}`)
    const isRecorded = !path.endsWith('resend')
    if (isRecorded) t.same(await stream.next(isActivity, from), { ...told, message: { type: 'activity' } })
  }
  const from = stream.frames.length
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' })
  await owner.browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' })
  await owner.browser.submit('PATCH', '/acme/settings', { name: 'Other' })
  await stream.next(isActivity, from)
  const types = stream.frames.slice(from).map(({ message }) => message?.type)
  t.same(types, ['account', 'activity'], 'no change is no news')
  t.equal(other.frames.filter(isMessage).length, 0, 'subscribers of another account hear none of it')
})

t.test('joining through an invitation is announced, at sign-up and afterwards', async (t) => {
  const { app, owner } = await sharedLiveAcme(t)
  const [newcomer, member] = [somebody(), await signedUp(app)]
  const { token: invitation } = await invite(app, owner, '/acme', newcomer.email)
  const { link } = await invite(app, owner, '/acme', member.person.email)
  const stream = await openStream(t, app, owner.browser, [acme])
  await stream.next(isPresence)

  await (await Browser.open(app)).submit('POST', '/sign_up', { ...newcomer, invitation })
  t.same((await stream.next(isMessage)).message, { type: 'members' })
  const from = stream.frames.length
  await member.browser.submit('POST', `${link}/accept`, {}, { 'x-tab-id': 'tab-2' })
  t.match(await stream.next(isMessage, from), { message: { type: 'members' }, tab_id: 'tab-2' })
  const again = stream.frames.length
  await member.browser.submit('DELETE', '/users', { password_challenge: password })
  t.match(await stream.next(isMessage, again), { message: { type: 'members' } }, 'and who is deleted')
})
