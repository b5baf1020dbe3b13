import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, users } from '../../drizzle/schema.ts'
import { updateAccount } from '../../features/accounts/account-settings.ts'
import { changeRequirement } from '../../features/second-factor/requiring.ts'
import type { Database } from '../../plugins/database/index.ts'
import { type Browser, deferredProps } from '../helpers/browser.ts'
import { Authenticator, register, requestOptions } from '../helpers/passkeys.ts'
import { actorAt, password, sharedAcme, sharedLiveAcme, signedIn, signedUp } from '../helpers/people.ts'
import { enable } from '../helpers/second-factor.ts'
import { acme, beat, isConfirmed, isRejected, openStream } from '../helpers/sse.ts'

const alert = 'Acme requires two-factor authentication'
const asking = { 'x-inertia-partial-component': 'accounts/settings', 'x-inertia-partial-data': 'without_factor' }

/** Where the pages and writes of Acme lead. */
async function leads(browser: Browser, membershipId: number) {
  const found = new Set<string | undefined>()
  for (const [method, path] of [
    ['GET', '/acme'],
    ['GET', '/acme/settings'],
    ['GET', '/acme/members'],
    ['GET', '/acme/activity'],
    ['PATCH', '/acme/settings'],
    ['DELETE', `/acme/members/${membershipId}`],
    ['POST', '/acme/invitations'],
  ] as const) {
    found.add((await browser.request(method, path, method === 'GET' ? {} : { body: {} })).headers.location)
  }
  return [...found]
}

const verifyAll = (db: Database) => db.update(users).set({ verified: true })
const requireFactor = (browser: Browser, wanted: unknown = true, challenge: object = {}) =>
  browser.submit('PATCH', '/acme/settings', { require_second_factor: wanted, ...challenge })

t.test('an owner with a second factor can require one of everybody, and stop doing so', async (t) => {
  const { app, clock, db, owner, join, account } = await sharedAcme(t)
  const member = await join('member')
  const isRequired = async () =>
    (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.requireSecondFactor

  t.equal((await owner.browser.visit('/acme/settings')).props.require_second_factor, false)
  await t.test('but not without one of their own', async (t) => {
    const page = await requireFactor(owner.browser)
    t.equal(page.url, '/acme/settings')
    t.same(page.props.errors, { require_second_factor: ['needs a second factor of your own'] })
    const check = await owner.browser.precognize('PATCH', '/acme/settings', { require_second_factor: true })
    t.same(check.json(), { errors: { require_second_factor: ['needs a second factor of your own'] } })
    const update = updateAccount(app, actorAt(account, owner), {
      changes: [changeRequirement(app, owner.user.id, true)],
    })
    const errors = { require_second_factor: [{ text: 'needs a second factor of your own' }] }
    t.match(await update.catch((error) => error), { errors }, 'nor if it was removed while the form was being checked')
    t.equal(await isRequired(), false)
    t.same((await requireFactor(owner.browser, false)).flash, { notice: 'Settings saved' }, 'which ends nothing')
  })

  await verifyAll(db)
  await register(owner.browser)
  const lacking = { members: 2, lacking: 1, names: [member.person.name] }
  t.same((await owner.browser.visit('/acme/settings', asking)).props.without_factor, lacking)
  const { figures } = await deferredProps(owner.browser, '/acme')
  t.match(figures, { without_factor: 1, requires_second_factor: false })
  const seenBy = async (browser: Browser) =>
    (await browser.visit('/acme/members')).props.members.map((row: { second_factor?: boolean }) => row.second_factor)
  t.same(await seenBy(owner.browser), [true, false], 'managers see who has one')
  t.same(await seenBy(member.browser), [undefined, undefined])
  const page = await requireFactor(owner.browser)
  t.equal(page.url, '/acme/settings')
  t.same(page.flash, { notice: 'Two-factor authentication is now required' })
  t.match(page.props, { require_second_factor: true, account: { name: 'Acme' } }, 'and nothing else changes')

  await t.test('a member without one is redirected on the next visit', async (t) => {
    t.same(await leads(member.browser, member.membershipId), ['/settings/security'])
    const led = await member.browser.visit('/acme')
    t.equal(led.component, 'settings/security')
    t.same(led.flash, { alert })
    t.same(led.props.required_by, [{ name: 'Acme', slug: 'acme' }])
    t.equal((await member.browser.visit(`/${member.slug}`)).component, 'accounts/show', 'their own asks nothing')
  })

  const stranger = await signedUp(app)
  t.equal((await stranger.browser.request('GET', '/acme')).statusCode, 404, 'and no stranger learns of it')
  await t.test('until the member has a code', async (t) => {
    await enable(member.browser, { clock })
    t.equal((await member.browser.visit('/acme')).component, 'accounts/show')
    await member.browser.submit('DELETE', '/settings/second_factor', { password_challenge: password })
    t.same((await member.browser.visit('/acme')).flash?.alert, alert)
  })
  await t.test('or a passkey', async (t) => {
    const [{ id }] = (await register(member.browser)).props.passkeys
    t.equal((await member.browser.visit('/acme')).component, 'accounts/show')
    await member.browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
    t.same((await member.browser.visit('/acme')).flash?.alert, alert)
  })

  t.same((await requireFactor(owner.browser)).flash, { notice: 'Settings saved' }, 'again, which changes nothing')
  await t.test('who stops it has to confirm that it is them', async (t) => {
    for (const challenge of [{}, { password_challenge: null }, { password_challenge: 'wrong' }]) {
      const page = await requireFactor(owner.browser, false, challenge)
      t.equal(page.url, '/acme/settings')
      t.same(page.props.errors, { password_challenge: ['is invalid'] })
    }
    const errors = { password_challenge: [{ text: 'is invalid' }] }
    const here = { ...owner, session: (await owner.browser.visit('/acme')).props.auth.session.id }
    const unconfirmed = updateAccount(app, actorAt(account, here), {
      name: 'Other',
      changes: [changeRequirement(app, here.user.id, false)],
    })
    t.match(await unconfirmed.catch((error) => error), { errors }, 'nor if it was set meanwhile')
    t.equal(await isRequired(), true)
  })
  const stopped = await requireFactor(owner.browser, false, { password_challenge: password })
  t.same(stopped.flash, { notice: 'Two-factor authentication is no longer required' })
  t.equal((await member.browser.visit('/acme')).component, 'accounts/show')
})

t.test('only owners can require it, and only they see whether it is required', async (t) => {
  const { db, owner, join, account } = await sharedAcme(t)
  for (const role of ['admin', 'member'] as const) {
    const { browser } = await join(role)
    await verifyAll(db)
    await register(browser)
    t.notOk('require_second_factor' in (await browser.visit('/acme/settings')).props)
    t.same((await requireFactor(browser)).flash, { alert: "You don't have permission to do that" })
    const check = await browser.precognize('PATCH', '/acme/settings', { require_second_factor: true })
    t.not(check.statusCode, 204, 'nor when it is only checked')
  }
  for (const strange of ['true', 1, [], {}]) {
    const body = { require_second_factor: strange }
    t.equal((await owner.browser.request('PATCH', '/acme/settings', { body })).statusCode, 400)
  }
  t.equal((await db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.requireSecondFactor, false)
})

t.test('members without one lose the live updates at once', async (t) => {
  const { app, db, owner, join } = await sharedLiveAcme(t)
  const member = await join('member')
  const guarded = await join('member')
  await verifyAll(db)
  await register(owner.browser)
  const [{ id }] = (await register(guarded.browser)).props.passkeys
  const streams = {
    owner: await openStream(t, app, owner.browser, [acme]),
    member: await openStream(t, app, member.browser, [acme]),
    guarded: await openStream(t, app, guarded.browser, [acme]),
  }

  await requireFactor(owner.browser)
  t.same(await streams.member.next(isRejected), { type: 'reject_subscription', identifier: acme })
  const again = await openStream(t, app, member.browser, [acme])
  await again.next(isRejected)
  t.equal((await beat(member.browser, { tab_id: 'a' })).statusCode, 404)

  await guarded.browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  await streams.guarded.next(isRejected)
  t.notOk(streams.owner.frames.some(isRejected), 'and nobody else is')
  t.notOk(streams.owner.ended)
})

t.test('a password-only session is redirected to the second factor, whatever the user owns', async (t) => {
  const { app, db, owner, join } = await sharedLiveAcme(t)
  const member = await join('admin')
  await verifyAll(db)
  await register(owner.browser)
  await requireFactor(owner.browser)
  const authenticator = new Authenticator()
  await register(member.browser, authenticator)
  t.equal((await member.browser.visit('/acme')).component, 'accounts/show', 'where it was set up')
  const { browser } = await signedIn(app, member.person)
  const verify = '/sign_in/verify'
  const referer = 'http://localhost:3000/acme/members'

  await t.test('on every visit and write', async (t) => {
    t.same(await leads(browser, member.membershipId), [verify])
    const { component, flash, props } = await browser.visit('/acme/members?role=admin')
    t.equal(component, 'auth/second-factor')
    t.same(flash, {}, 'the way back is no flash')
    t.equal(props.return_to, '/acme/members?role=admin')
    const form = await browser.submit('PATCH', '/acme/settings', { name: 'Mine' }, { referer })
    t.equal(form.props.return_to, '/acme/members', 'that of a form is its page')
    t.notOk('return_to' in (await browser.visit(verify)).props, 'it is told once')
    t.equal((await browser.visit(`/${member.slug}`)).component, 'accounts/show', 'other accounts ask nothing')
  })

  await t.test('and for streams, actions and presence', async (t) => {
    const stream = await openStream(t, app, browser, [acme])
    t.same(await stream.next(isRejected), { type: 'reject_subscription', identifier: acme })
    const own = await openStream(t, app, member.browser, [acme])
    await own.next(isConfirmed)
    t.equal((await beat(browser, { tab_id: 'a' })).statusCode, 404)
    t.equal((await beat(member.browser, { tab_id: 'a' })).statusCode, 200)
  })

  await t.test('until it is proved', async (t) => {
    const response = authenticator.get(await requestOptions(browser))
    const { url } = await browser.submit('POST', `${verify}?return_to=/acme/members`, { response })
    t.equal(url, '/acme/members')
    const stream = await openStream(t, app, browser, [acme])
    await stream.next(isConfirmed)
  })

  await t.test('and again once the last factor is removed', async (t) => {
    const [{ id }] = (await browser.visit('/settings/security')).props.passkeys
    const stream = await openStream(t, app, browser, [acme])
    await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
    await stream.next(isRejected)
    t.same((await browser.visit('/acme')).flash, { alert })
    await register(member.browser)
    t.equal((await browser.request('GET', '/acme')).headers.location, verify, 'a new one elsewhere does not count here')
    t.equal((await member.browser.visit('/acme')).component, 'accounts/show')
  })
})
