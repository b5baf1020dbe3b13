import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { rateLimits, sessions } from '../../drizzle/schema.ts'
import { resetSecondFactor } from '../../features/second-factor/second-factors.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { type Authenticator, addPasskey, register, requestOptions, signInWith } from '../helpers/passkeys.ts'
import { password, signedIn, verifiedUp } from '../helpers/people.ts'
import { recorded } from '../helpers/records.ts'
import { enable, methodOf, withSecondFactor, wrongCodeErrors } from '../helpers/second-factor.ts'

const { app, clock, db } = await startApp(t)
const refused = { alert: "That passkey didn't work. Try again" }

/** A session from before sessions knew how they began. */
async function withCode() {
  const someone = await withSecondFactor({ app, clock })
  await db
    .update(sessions)
    .set({ firstFactor: 'password', secondFactor: null })
    .where(eq(sessions.userId, someone.user.id))
  return someone
}

/** A person with a passkey, and a session that began with their password alone. */
async function withPasskey() {
  const someone = await verifiedUp(app)
  const { authenticator } = await addPasskey(someone.browser)
  await db.delete(sessions).where(eq(sessions.userId, someone.user.id))
  return { ...someone, authenticator, browser: (await signedIn(app, someone.person)).browser }
}

const challengesOf = async (userId: number) => {
  const own = eq(rateLimits.key, keyOf('challenge', userId))
  return (await db.select().from(rateLimits).where(own))[0]?.hits ?? 0
}

/** How the sessions of this person began, oldest first, as their page and their export tell it. */
async function methods(t: Test, browser: Browser): Promise<string[]> {
  const body = { password_challenge: password }
  const exported = (await browser.request('POST', '/settings/export', { body })).json()
  const [shown, told] = [(await browser.visit('/settings/sessions')).props, exported].map(({ sessions }) =>
    sessions.map(({ method }: { method: string }) => method),
  )
  t.same(told, shown)
  return shown.reverse()
}

const prove = (browser: Browser, body: object, returnTo = '') =>
  browser.request('POST', `/sign_in/verify${returnTo && `?return_to=${encodeURIComponent(returnTo)}`}`, { body })

const answer = async (browser: Browser, authenticator: Authenticator) =>
  authenticator.get(await requestOptions(browser))

const factors = {
  'a code': async () => {
    const { browser, user, code } = await withCode()
    return { browser, user, proof: { code: await code() }, method: 'password_and_code' }
  },
  'a recovery code': async () => {
    const { browser, user, recoveryCodes } = await withCode()
    return { browser, user, proof: { code: recoveryCodes[0] }, method: 'password_and_recovery_code' }
  },
  'a passkey': async () => {
    const { browser, user, authenticator } = await withPasskey()
    return { browser, user, proof: { response: await answer(browser, authenticator) }, method: 'passkey' }
  },
}

for (const [name, start] of Object.entries(factors)) {
  t.test(`a session that began with a password alone proves ${name} later`, async (t) => {
    const { browser, user, proof, method } = await start()
    const { component, props } = await browser.visit('/sign_in/verify?return_to=/settings/profile')
    t.equal(component, 'auth/second-factor')
    t.match(props, {
      code: 'code' in proof,
      passkey: 'response' in proof,
      return_to: '/settings/profile',
      auth: { user: { id: user.id } },
    })

    const copy = browser.copy()
    const response = await prove(browser, proof, '/settings/profile')
    t.equal(response.statusCode, 302)
    t.equal(response.headers.location, '/settings/profile')
    t.same((await browser.follow(response)).flash, {})
    t.equal(await methodOf(browser), method)
    t.equal((await copy.visit('/settings/profile')).component, 'auth/sign-in', 'a copy of the old cookie is void')
    t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 1, 'it is the same session')
    t.equal(await challengesOf(user.id), 0, 'what was right does not count')
  })
}

t.test('a copy of the cookie from before a set-up is invalid', async (t) => {
  const { browser } = await verifiedUp(app)
  for (const setUp of [() => register(browser), async () => (await enable(browser, { clock })).page]) {
    const copy = browser.copy()
    t.equal((await setUp()).component, 'settings/security')
    t.equal((await copy.visit('/settings/profile')).component, 'auth/sign-in')
    const written = await browser.submit('PATCH', '/settings/profile', { name: 'Ana' })
    t.same(written.flash, { notice: 'Your profile has been updated' }, 'and the session goes on')
  }
})

t.test('a wrong code is reported, keeps the return path, and counts for the lock and as a challenge', async (t) => {
  const { browser, wrong, code, user, recoveryCodes } = await withCode()
  for (let count = 1; count <= 10; count++) {
    const response = await prove(browser, { code: await wrong() }, '/settings/profile')
    t.equal(response.headers.location, '/sign_in/verify?return_to=%2Fsettings%2Fprofile')
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

t.test('a wrong passkey, or one of another user, is refused and counted', async (t) => {
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
  await db.update(sessions).set({ firstFactor: 'password', secondFactor: null })
  t.same((await browser.follow(await prove(browser, { response: right }))).flash, refused, 'and none twice')
})

t.test('after the password, a passkey of the same user signs in too', async (t) => {
  const { browser, halfway, user } = await withCode()
  const { authenticator } = await addPasskey(browser)
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

t.test('of two concurrent second steps, one raises the session', async (t) => {
  const { browser, recoveryCodes, user } = await withCode()
  const browsers = [browser, browser.copy()]
  await Promise.all(browsers.map((each, n) => prove(each, { code: recoveryCodes[n] }, '/settings/email')))
  const pages = await Promise.all(browsers.map((each) => each.visit('/settings/email')))
  t.same(pages.map(({ component }) => component).sort(), ['auth/sign-in', 'settings/email'])
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 1)
})

t.test('a session and its activity tell how it began', async (t) => {
  const { browser, user, code, recoveryCodes, halfway } = await withSecondFactor({ app, clock })
  const { authenticator } = await addPasskey(browser)
  await (await halfway()).submit(await code())
  await (await halfway()).submit(recoveryCodes[0])
  const guest = await Browser.open(app)
  await signInWith(guest, authenticator)
  const signedIns = ['password_and_code', 'password_and_recovery_code', 'passkey']
  t.same(await methods(t, browser), ['password_and_code', ...signedIns], 'the set-up and the sign-ins')

  const second = await verifiedUp(app)
  await signedIn(app, second.person)
  t.same(await methods(t, second.browser), ['password', 'password'])

  const signIns = (await recorded(db)).filter(({ type }) => type === 'signed_in')
  const told = (userId: number) => signIns.filter((row) => row.userId === userId).map(({ details }) => details)
  const expected = signedIns.map((method) => ({ method }))
  t.same([told(user.id), told(second.user.id)], [expected, [{ method: 'password' }]])
  const { activities } = (await guest.visit('/settings/activity')).props
  t.match(activities[1], { type: 'signed_in', details: { method: 'passkey' } }, 'after the export')
})

t.test('the session in which a factor is set up has a second factor until the last one is removed', async (t) => {
  const { browser, person, user } = await verifiedUp(app)
  const other = await signedIn(app, person)
  const { authenticator, id } = await addPasskey(browser)
  t.equal(await methodOf(browser), 'passkey')
  t.equal(await methodOf(other.browser), 'password', 'and no other one does')

  await enable(browser, { clock })
  t.equal(await methodOf(browser), 'passkey', 'a second one changes nothing')
  const guest = await Browser.open(app)
  await signInWith(guest, authenticator)

  await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  t.equal(await methodOf(browser), 'passkey', 'nor does the removal of one of two')
  await app.db.transaction((tx) => resetSecondFactor(app, tx, user.id))
  t.equal(await methodOf(browser), 'password')
  t.equal(await methodOf(guest), 'password')

  await register(guest)
  t.equal(await methodOf(guest), 'passkey')
  t.equal(await methodOf(browser), 'password', 'what is added later vouches for no older session')
})
