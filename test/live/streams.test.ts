import t from 'tap'
import { invitations } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, sharedLiveAcme, sharedPerson, signedUp, somebody, tokenOf } from '../helpers/people.ts'
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
  t.same(
    stream.frames.slice(0, identifiers.length),
    identifiers.map((identifier) => ({ type: 'reject_subscription', identifier })),
  )

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

t.test('guests are redirected to the sign-in page', async (t) => {
  const { app } = await sharedApp(t)
  const guest = await Browser.open(app)
  for (const url of ['/live', streamUrl([acme])]) {
    t.equal((await guest.request('GET', url)).headers.location, '/sign_in', url)
  }
  for (const [method, url] of [
    ['POST', '/live/perform'],
    ['POST', '/live/presence'],
    ['DELETE', '/live/presence'],
  ] as const) {
    const response = await guest.request(method, url, { body: { identifier: acme, tab_id: 'tab' } })
    t.equal(response.headers.location, '/sign_in', `${method} ${url}`)
  }
})

t.test('every change of members, invitations and name is broadcast, with the tab that caused it', async (t) => {
  const { app, owner, join, membersNow } = await sharedLiveAcme(t)
  const member = await join('member')
  const stream = await openStream(t, app, member.browser, [acme])
  await stream.next(isPresence)
  const other = await openStream(t, app, member.browser, [accountIdentifier(member.slug)])
  await other.next(isPresence)

  const causes = async (type: string, work: () => Promise<unknown>) => {
    const from = stream.frames.length
    await work()
    const told = await stream.next(({ message }) => message?.type === type, from)
    t.same(told, { identifier: acme, message: { type }, tab_id: 'tab-1' }, type)
    return from
  }
  /** For changes that are also recorded, which sends an additional message. */
  const changes = async (type: string, work: () => Promise<unknown>) => {
    const from = await causes(type, work)
    t.same(await stream.next(isActivity, from), { identifier: acme, message: { type: 'activity' }, tab_id: 'tab-1' })
  }
  const tab = { 'x-tab-id': 'tab-1' }
  const { browser } = owner
  await changes('account', () => browser.submit('PATCH', '/acme/settings', { name: 'Acme Inc.' }, tab))
  await changes('members', () =>
    browser.submit('PATCH', `/acme/members/${member.membershipId}`, { role: 'admin' }, tab),
  )
  const invitee = { email: 'new@example.com', role: 'member' }
  await changes('members', () => browser.submit('POST', '/acme/invitations', invitee, tab))
  const [invitation] = (await browser.visit('/acme/members')).props.invitations
  await causes('members', () => browser.submit('POST', `/acme/invitations/${invitation.id}/resend`, {}, tab))
  await changes('members', () => browser.submit('DELETE', `/acme/invitations/${invitation.id}`, {}, tab))
  const guest = await join('member')
  const mine = (await membersNow()).find(({ userId }) => userId === guest.user.id)
  await changes('members', () => browser.submit('DELETE', `/acme/members/${mine?.id}`, {}, tab))
  t.equal(other.frames.filter(isMessage).length, 0, 'subscribers of another account hear none of it')
})

t.test('joining through an invitation is announced, at sign-up and afterwards', async (t) => {
  const { app, db, account, owner } = await sharedLiveAcme(t)
  const invited = async (email: string) => {
    const expiresAt = new Date(Date.now() + 86_400_000)
    const values = { accountId: account.id, email, role: 'member' as const, expiresAt }
    const [invitation] = await db.insert(invitations).values(values).returning()
    return tokenOf(app, invitation?.id ?? 0)
  }
  const stream = await openStream(t, app, owner.browser, [acme])
  await stream.next(isPresence)

  const newcomer = somebody()
  const invitation = await invited(newcomer.email)
  const browser = await Browser.open(app)
  await browser.submit('POST', '/sign_up', { ...newcomer, invitation })
  t.same((await stream.next(isMessage)).message, { type: 'members' })

  const member = await signedUp(app)
  const token = await invited(member.person.email)
  const from = stream.frames.length
  await member.browser.submit('POST', `/invitations/${token}/accept`, {}, { 'x-tab-id': 'tab-2' })
  t.match(await stream.next(isMessage, from), { message: { type: 'members' }, tab_id: 'tab-2' })

  const again = stream.frames.length
  await member.browser.submit('DELETE', '/users', { password_challenge: password })
  t.match(await stream.next(isMessage, again), { message: { type: 'members' } }, 'and who is deleted')
})
