import { eq } from 'drizzle-orm'
import t from 'tap'
import { rateLimits, secondFactors, sessions } from '../../drizzle/schema.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { startApp } from '../helpers/app.ts'
import { Authenticator, register, requestOptions } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { signedIn, verifiedUp } from '../helpers/people.ts'
import { codeAt, start, withSecondFactor, wrongCodeErrors } from '../helpers/second-factors.ts'

const { app, clock, db } = await startApp(t)
const refused = { alert: "That passkey didn't work. Try again" }
const already = { notice: 'You are already signed in' }

/** A session from before sessions knew how they began. */
async function withCode() {
  const someone = await withSecondFactor({ app, clock })
  await db.update(sessions).set({ method: 'password' }).where(eq(sessions.userId, someone.user.id))
  return someone
}

/** A person with a passkey, and a session that began with their password alone. */
async function withPasskey() {
  const someone = await verifiedUp(app)
  const authenticator = new Authenticator()
  await register(someone.browser, authenticator)
  return { ...someone, authenticator, browser: (await signedIn(app, someone.person)).browser }
}

const methodOf = async (browser: Browser) => {
  const { sessions, auth } = (await browser.visit('/settings/sessions')).props
  return sessions.find(({ id }: { id: string }) => id === auth.session.id).method
}

const challengesOf = async (userId: number) => {
  const [row] = await db
    .select()
    .from(rateLimits)
    .where(eq(rateLimits.key, keyOf('challenge', userId)))
  return row?.hits ?? 0
}

const prove = (browser: Browser, body: object, returnTo = '') =>
  browser.request('POST', `/sign_in/verify${returnTo && `?return_to=${encodeURIComponent(returnTo)}`}`, { body })

const answer = async (browser: Browser, authenticator: Authenticator) =>
  authenticator.get(await requestOptions(browser))

const copyOf = (browser: Browser) => {
  const copy = new Browser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

t.test('a session that began with a password alone proves a code later', async (t) => {
  const { browser, code, user } = await withCode()
  const { component, props } = await browser.visit('/sign_in/verify?return_to=/settings/profile')
  t.equal(component, 'auth/second-factor')
  t.match(props, { code: true, passkey: false, return_to: '/settings/profile' })
  t.equal(props.auth.user.id, user.id)

  const copy = copyOf(browser)
  const response = await prove(browser, { code: await code() }, '/settings/profile')
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, '/settings/profile')
  t.equal(await methodOf(browser), 'password_and_code')
  t.equal(
    (await copy.visit('/settings/profile')).component,
    'auth/sign-in',
    'a copy of the old cookie is worth nothing',
  )
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 1, 'it is the same session')
  t.equal(await challengesOf(user.id), 0, 'what was right does not count')
})

t.test('a session that began with a password alone proves a recovery code later', async (t) => {
  const { browser, recoveryCodes, slug } = await withCode()
  const page = await browser.follow(await prove(browser, { code: recoveryCodes[0] }))
  t.equal(page.url, `/${slug}`, 'and goes home if nothing else was asked for')
  t.same(page.flash, {})
  t.equal(await methodOf(browser), 'password_and_recovery_code')
  t.equal((await browser.visit('/settings/security')).props.second_factor.recovery_codes_left, 9)
})

t.test('a session that began with a password alone proves a passkey later', async (t) => {
  const { browser, authenticator } = await withPasskey()
  t.match((await browser.visit('/sign_in/verify')).props, { code: false, passkey: true })
  const response = await answer(browser, authenticator)
  const copy = copyOf(browser)
  t.equal((await prove(browser, { response }, '/settings/email')).headers.location, '/settings/email')
  t.equal(await methodOf(browser), 'passkey')
  t.equal((await copy.visit('/settings/profile')).component, 'auth/sign-in')
})

t.test('a copy of the cookie from before a set-up is worth nothing', async (t) => {
  const { browser } = await verifiedUp(app)
  const setUps = [
    () => register(browser),
    async () => {
      const { secret } = await start(browser)
      return browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
    },
  ]
  for (const setUp of setUps) {
    const copy = copyOf(browser)
    t.equal((await setUp()).component, 'settings/security')
    t.equal((await copy.visit('/settings/profile')).component, 'auth/sign-in')
    const written = await browser.submit('PATCH', '/settings/profile', { name: 'Ana' })
    t.same(written.flash, { notice: 'Your profile has been updated' }, 'and the session goes on')
  }
})

t.test('of two second steps at once, one makes the session rise', async (t) => {
  const { browser, recoveryCodes, user } = await withCode()
  const copy = copyOf(browser)
  const [one, other] = await Promise.all([
    prove(browser, { code: recoveryCodes[0] }, '/settings/email'),
    prove(copy, { code: recoveryCodes[1] }, '/settings/email'),
  ])
  t.same([one, other].map(({ headers }) => headers.location).sort(), ['/settings/email', '/sign_in'])
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 1)
})

t.test('whoever has an app and a passkey is offered both', async (t) => {
  const { browser } = await withCode()
  await register(browser)
  await db.update(sessions).set({ method: 'password' })
  t.match((await browser.visit('/sign_in/verify')).props, { code: true, passkey: true })
})

t.test('the way back leads to no other site', async (t) => {
  const { browser, recoveryCodes, slug } = await withCode()
  for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const { props } = await browser.visit(`/sign_in/verify?return_to=${encodeURIComponent(elsewhere)}`)
    t.notOk('return_to' in props, elsewhere)
  }
  const page = await browser.follow(await prove(browser, { code: recoveryCodes[0] }, 'https://evil.example/'))
  t.equal(page.url, `/${slug}`)
})

t.test('a wrong code is told, keeps the way back, and counts for the lock and as a challenge', async (t) => {
  const { browser, wrong, code, user, recoveryCodes } = await withCode()
  const way = '/sign_in/verify?return_to=%2Fsettings%2Fprofile'
  for (let count = 1; count <= 10; count++) {
    const response = await prove(browser, { code: await wrong() }, '/settings/profile')
    t.equal(response.headers.location, way)
    const page = await browser.follow(response)
    t.same(page.props.errors, wrongCodeErrors)
    t.equal(page.props.return_to, '/settings/profile')
  }
  t.equal(await challengesOf(user.id), 10)
  const locked = await prove(browser, { code: await code() }, '/settings/profile')
  t.ok(Number(locked.headers['retry-after']) > 880)
  t.same((await browser.follow(locked)).flash, { alert: 'Try again later.' })
  t.equal(await methodOf(browser), 'password')

  for (const empty of ['', ' - ', null, undefined]) {
    t.same((await browser.follow(await prove(browser, { code: empty }))).props.errors, wrongCodeErrors)
  }
  t.equal(await challengesOf(user.id), 10, 'nothing typed is no guess')
  t.equal((await prove(browser, { code: recoveryCodes[0] })).headers.location, '/', 'a recovery code passes the lock')
})

t.test('a passkey that is wrong, or of somebody else, is refused and counts', async (t) => {
  const { browser, authenticator, user } = await withPasskey()
  const other = await withPasskey()
  const right = await answer(browser, authenticator)
  const wrong = [await answer(browser, other.authenticator), await answer(other.browser, authenticator), {}, 'x', 1]
  for (const response of wrong) {
    const answered = await prove(browser, { response }, '/settings/profile')
    t.equal(answered.headers.location, '/sign_in/verify?return_to=%2Fsettings%2Fprofile')
    t.same((await browser.follow(answered)).flash, refused)
  }
  t.equal(await challengesOf(user.id), wrong.length)
  t.equal(await methodOf(browser), 'password')
  t.equal((await prove(browser, { response: right })).headers.location, '/')
  await db.update(sessions).set({ method: 'password' })
  t.same((await browser.follow(await prove(browser, { response: right }))).flash, refused, 'and none twice')
})

t.test('after a hundred wrong ones in an hour, nothing is looked at', async (t) => {
  const { browser, authenticator, user } = await withPasskey()
  await prove(browser, { response: {} })
  const key = keyOf('challenge', user.id)
  await db.update(rateLimits).set({ hits: 99 }).where(eq(rateLimits.key, key))
  t.same((await browser.follow(await prove(browser, { response: {} }))).flash, refused)
  const response = await answer(browser, authenticator)
  t.same((await browser.follow(await prove(browser, { response }))).flash, { alert: 'Try again later.' })
  t.equal(await methodOf(browser), 'password')
})

t.test('a session that has nothing to prove goes on', async (t) => {
  const { browser, authenticator, slug } = await withPasskey()
  await prove(browser, { response: await answer(browser, authenticator) })
  const proved = await verifiedUp(app)
  await register(proved.browser)
  for (const visitor of [browser, proved.browser]) {
    t.same((await visitor.visit('/sign_in/verify')).flash, already)
    t.same((await visitor.follow(await prove(visitor, { code: '000000' }))).flash, already)
    t.equal((await prove(visitor, { response: {} }, `/${slug}/members`)).headers.location, `/${slug}/members`)
    t.equal((await visitor.visit('/sign_in/verify?return_to=/settings/email')).url, '/settings/email')
  }
})

t.test('a code typed by somebody who has none is wrong', async (t) => {
  const { browser, user } = await withPasskey()
  t.same((await browser.follow(await prove(browser, { code: '123456' }))).props.errors, wrongCodeErrors)
  t.equal(await challengesOf(user.id), 1)
  t.same(await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id)), [])
})

t.test('between password and code, a passkey of the same person signs in as well', async (t) => {
  const { browser, halfway, user } = await withCode()
  const authenticator = new Authenticator()
  await register(browser, authenticator)
  const stranger = await withPasskey()
  const { browser: guest } = await halfway()
  const page = await guest.visit('/sign_in/verify')
  t.match(page.props, { code: true, passkey: true, auth: { user: null } })

  const others = await answer(guest, stranger.authenticator)
  t.same((await guest.follow(await prove(guest, { response: others }))).flash, refused)
  t.notOk(guest.cookies.has('session_token'))
  const own = await guest.follow(await prove(guest, { response: await answer(guest, authenticator) }))
  t.same(own.flash, { notice: 'Signed in successfully' })
  t.equal(own.props.auth.user.id, user.id)
  t.notOk(guest.cookies.has('pending_sign_in'))
  t.equal(await methodOf(guest), 'passkey')
})

t.test('without a pending sign-in, a passkey proves nothing here', async (t) => {
  const { browser, authenticator } = await withPasskey()
  await browser.submit('DELETE', `/sessions/${(await browser.visit('/settings/email')).props.auth.session.id}`)
  const response = await answer(browser, authenticator)
  t.same((await browser.follow(await prove(browser, { response }))).flash, { alert: 'Please sign in again' })
})
