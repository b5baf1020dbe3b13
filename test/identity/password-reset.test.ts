import t, { type Test } from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { resetPassword, userOfLink } from '../../features/identity/links.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, sidOf, signedIn, signedUp, userRow } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const fresh = 'a fresh new password'
const invalid = { alert: 'That password reset link is invalid' }

async function startForgetful(t: Test) {
  const started = await sharedApp(t)
  const someone = await signedUp(started.app)
  await started.db.update(users).set({ verified: true })
  await forgetMails(started.db)
  const read = () => userRow(started.db, someone.user.id)
  const mint = () => sidOf(started.app, 'password_reset', someone.user.id)
  return { ...started, ...someone, read, mint }
}

const reset = (browser: Browser, sid: unknown, body: object = {}) =>
  browser.request('PATCH', '/identity/password_reset', {
    body: { sid, password: fresh, password_confirmation: fresh, ...body },
  })

t.test('a request is answered the same whatever stands in its email', async (t) => {
  const { app, db } = await startForgetful(t)
  const browser = await Browser.open(app)
  for (const email of [7, true, null, [], ['a@example.com'], { a: 1 }, '\0', 'nobody']) {
    const { statusCode, headers } = await browser.request('POST', '/identity/password_reset', { body: { email } })
    t.same([statusCode, headers.location], [302, '/sign_in'], JSON.stringify(email))
  }
  t.same(await queuedMails(db), [])
})

t.test('the page is open to everybody and ignores the session', async (t) => {
  const { app, browser } = await startForgetful(t)
  t.equal(
    (await new Browser(app).document('/identity/password_reset/new')).page.component,
    'identity/password-reset/new',
  )
  const page = await browser.visit('/identity/password_reset/new')
  t.same(page.props.auth, { user: null, session: null })
  t.notOk('accounts' in page.props)
  t.ok((await browser.visit('/settings/profile')).props.auth.user, 'the session is intact')
})

t.test('every request looks the same and queues one job with the requested address', async (t) => {
  const { app, db, person } = await startForgetful(t)
  const unverified = await signedUp(app)
  await forgetMails(db)
  for (const email of [` ${person.email.toUpperCase()}`, unverified.person.email, 'nobody@example.com']) {
    const browser = await Browser.open(app)
    const response = await browser.request('POST', '/identity/password_reset', { body: { email } })
    t.equal(response.headers.location, '/sign_in')
    t.same((await browser.follow(response)).flash, {
      notice: "If that email belongs to a verified account, we've sent reset instructions to it",
    })
  }
  t.same(await queuedMails(db), [
    { mail: 'password_reset', email: person.email },
    { mail: 'password_reset', email: unverified.person.email },
    { mail: 'password_reset', email: 'nobody@example.com' },
  ])
  await forgetMails(db)
  for (const email of ['', null, 'no address', undefined]) {
    const response = await (await Browser.open(app)).request('POST', '/identity/password_reset', { body: { email } })
    t.equal(response.headers.location, '/sign_in', 'what is no address is answered alike')
  }
  t.same(await queuedMails(db), [])
})

t.test('the link opens a page with the token and the address', async (t) => {
  const { app, mint, person } = await startForgetful(t)
  const sid = await mint()
  const page = await new Browser(app).visit(`/identity/password_reset/edit?sid=${sid}`)
  t.equal(page.component, 'identity/password-reset/edit')
  t.match(page.props, { sid, email: person.email, auth: { user: null, session: null } })
})

t.test('opening the link, however often, changes nothing and keeps it valid', async (t) => {
  const { app, mint, read } = await startForgetful(t)
  const sid = await mint()
  const before = await read()
  const scanner = new Browser(app)
  for (let visit = 0; visit < 3; visit++) await scanner.visit(`/identity/password_reset/edit?sid=${sid}`)
  t.same(await read(), before)
  t.equal((await reset(await Browser.open(app), sid)).headers.location, '/sign_in')
  t.ok(await isPassword(fresh, (await read()).passwordDigest))
})

t.test('a wrong link redirects to the request page', async (t) => {
  const { app, read, user } = await startForgetful(t)
  const verification = await sidOf(app, 'email_verification', user.id)
  for (const sid of ['', 'invalid', 'a.b.c', '!!!.???', verification]) {
    const browser = await Browser.open(app)
    const page = await browser.visit(`/identity/password_reset/edit?sid=${sid}`)
    t.equal(page.component, 'identity/password-reset/new')
    t.same(page.flash, invalid)
    const update = await browser.follow(await reset(browser, sid))
    t.equal(update.component, 'identity/password-reset/new')
    t.same(update.flash, invalid)
  }
  const browser = await Browser.open(app)
  t.same((await browser.follow(await reset(browser, null))).flash, invalid)
  t.ok(await isPassword(password, (await read()).passwordDigest))
})

t.test('a reset sets the password, ends all sessions of that user and sends a mail', async (t) => {
  const { app, db, mint, person, browser, user } = await startForgetful(t)
  const other = await signedUp(app)
  await forgetMails(db)
  const visitor = await Browser.open(app)
  const response = await reset(visitor, await mint())
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/sign_in')
  t.same((await visitor.follow(response)).flash, { notice: 'Your password was reset successfully. Please sign in' })

  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await other.browser.visit('/settings/profile')).component, 'settings/profile', 'others stay')
  t.equal((await signedIn(app, { email: person.email, password })).page.component, 'auth/sign-in')
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  t.match(await queuedMails(db), [{ mail: 'password_changed', userId: user.id }, { mail: 'new_sign_in' }])
})

t.test("PUT does what PATCH does, and one's own session ends too", async (t) => {
  const { browser, mint, read } = await startForgetful(t)
  const body = { sid: await mint(), password: fresh, password_confirmation: fresh }
  const page = await browser.submit('PUT', '/identity/password_reset', body)
  t.equal(page.component, 'auth/sign-in')
  t.equal(page.props.auth.user, null)
  t.ok(await isPassword(fresh, (await read()).passwordDigest))
})

t.test('a link lives for twenty minutes', async (t) => {
  const { app, mint, clock, read } = await startForgetful(t)
  const browser = await Browser.open(app)
  const late = await mint()
  clock.forward({ minutes: 20, seconds: 1 })
  t.same((await browser.follow(await reset(browser, late))).flash, invalid)
  t.ok(await isPassword(password, (await read()).passwordDigest))

  const inTime = await mint()
  clock.forward({ minutes: 19 })
  t.equal((await reset(browser, inTime)).headers.location, '/sign_in')
})

t.test('a link becomes invalid by its use and by a change of the password or the address', async (t) => {
  const { app, mint, browser, person, read } = await startForgetful(t)
  const visitor = await Browser.open(app)
  const dead = async (sid: string) => t.match((await visitor.follow(await reset(visitor, sid))).flash, invalid)

  const used = await mint()
  await browser.submit('PATCH', '/settings/email', { email: 'elsewhere@example.com', password_challenge: password })
  await dead(used)
  await browser.submit('PATCH', '/settings/email', { email: person.email, password_challenge: password })
  await dead(used)

  const older = await mint()
  const change = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await browser.submit('PATCH', '/settings/password', change)
  await dead(older)

  const last = await mint()
  await reset(visitor, last, { password: 'the very last password', password_confirmation: 'the very last password' })
  await dead(last)
  t.ok(await isPassword('the very last password', (await read()).passwordDigest))
})

t.test("mistakes redirect back to the link's page, and it stays valid", async (t) => {
  const { app, mint, read } = await startForgetful(t)
  const browser = await Browser.open(app)
  const sid = await mint()
  const mistakes: [object, object][] = [
    [{ password_confirmation: 'other' }, { password_confirmation: ["doesn't match Password"] }],
    [{ password: '', password_confirmation: '' }, { password: ["can't be blank"] }],
    [{ password: null, password_confirmation: null }, { password: ["can't be blank"] }],
    [{ password: 'short', password_confirmation: 'short' }, { password: ['is too short (minimum is 12 characters)'] }],
  ]
  for (const [body, errors] of mistakes) {
    const response = await reset(browser, sid, body)
    t.equal(response.headers.location, `/identity/password_reset/edit?sid=${encodeURIComponent(sid)}`)
    const page = await browser.follow(response)
    t.equal(page.component, 'identity/password-reset/edit')
    t.equal(page.props.sid, sid)
    t.same(page.props.errors, errors)
  }
  t.ok(await isPassword(password, (await read()).passwordDigest))
  t.equal((await reset(browser, sid)).headers.location, '/sign_in')
})

t.test('precognition reports the fields and uses up nothing', async (t) => {
  const { app, db, mint, person } = await startForgetful(t)
  const browser = await Browser.open(app)
  const asked = await browser.precognize('POST', '/identity/password_reset', { email: person.email })
  t.equal(asked.statusCode, 400, 'the request for a link cannot be checked ahead')
  t.same(await queuedMails(db), [])
  const sid = await mint()
  for (const method of ['PATCH', 'PUT'] as const) {
    const wrong = await browser.precognize(method, '/identity/password_reset', {
      sid,
      password: 'short',
      password_confirmation: '',
    })
    t.equal(wrong.statusCode, 422)
    t.same(Object.keys(wrong.json().errors), ['password', 'password_confirmation'])
    const right = { sid, password: fresh, password_confirmation: fresh }
    t.equal((await browser.precognize(method, '/identity/password_reset', right)).statusCode, 204)
  }
  t.equal((await reset(browser, sid)).headers.location, '/sign_in')
})

t.test('of two requests with the same link, the second changes nothing, not even a newer session', async (t) => {
  const { app, db, mint, person, read } = await startForgetful(t)
  const checked = await userOfLink(app, 'password_reset', await mint())
  if (!checked) throw new Error('the link is valid')
  t.ok(await resetPassword(app, checked, fresh))
  await signedIn(app, { email: person.email, password: fresh })

  t.notOk(await resetPassword(app, checked, 'the password of the loser'))
  t.ok(await isPassword(fresh, (await read()).passwordDigest))
  t.equal((await db.select().from(sessions)).length, 1)
})

t.test('one link used twenty times concurrently works once', async (t) => {
  const { app, mint } = await startForgetful(t)
  const sid = await mint()
  const attempts = Array.from({ length: 20 }, async () => reset(await Browser.open(app), sid))
  const locations = (await Promise.all(attempts)).map(({ headers }) => headers.location)
  t.equal(locations.filter((location) => location === '/sign_in').length, 1)
  t.equal(locations.filter((location) => location === '/identity/password_reset/new').length, 19)
})
