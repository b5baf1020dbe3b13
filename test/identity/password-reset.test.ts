import t, { type Test } from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { resetPassword, userOfLink } from '../../features/identity/links.ts'
import { isPassword } from '../../plugins/security/digests.ts'
import { Browser } from '../helpers/browser.ts'
import { changeEmail, password, sharedPerson, sidOf, signedIn, signedUp, userRow } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const fresh = 'a fresh new password'
const invalid = { alert: 'That password reset link is invalid' }
const both = (password: string | null) => ({ password, password_confirmation: password })

async function startForgetful(t: Test) {
  const started = await sharedPerson(t)
  const { app, db, user } = started
  await db.update(users).set({ verified: true })
  await forgetMails(db)
  return {
    ...started,
    visitor: await Browser.open(app),
    mint: () => sidOf(app, 'password_reset', user.id),
    hasPassword: async (word: string) => isPassword(word, (await userRow(db, user.id)).passwordDigest),
  }
}

const reset = (browser: Browser, sid: unknown, body: object = {}) =>
  browser.request('PATCH', '/identity/password_reset', { body: { sid, ...both(fresh), ...body } })
const flashOf = async (browser: Browser, sid: unknown, body?: object) =>
  (await browser.follow(await reset(browser, sid, body))).flash

t.test('every request looks the same and queues one job with the requested address, if it is one', async (t) => {
  const { app, db, person } = await startForgetful(t)
  const unverified = await signedUp(app)
  await forgetMails(db)
  const notice = "If that email belongs to a verified account, we've sent reset instructions to it"
  const addresses = [` ${person.email.toUpperCase()}`, unverified.person.email, 'nobody@example.com']
  const nonsense = ['', 'no address', '\0', undefined, null, 7, true, [], ['a@example.com'], { a: 1 }]
  for (const [index, email] of [...addresses, ...nonsense].entries()) {
    const browser = await Browser.open(app, { ip: `10.0.0.${index}` })
    const response = await browser.request('POST', '/identity/password_reset', { body: { email } })
    t.same([response.statusCode, response.headers.location], [302, '/sign_in'], JSON.stringify(email))
    t.same((await browser.follow(response)).flash, { notice })
  }
  t.same(await queuedMails(db), [
    { mail: 'password_reset', email: person.email },
    { mail: 'password_reset', email: unverified.person.email },
    { mail: 'password_reset', email: 'nobody@example.com' },
  ])
})

t.test('the page is open to everybody and ignores the session', async (t) => {
  const { app, browser } = await startForgetful(t)
  const url = '/identity/password_reset/new'
  t.equal((await new Browser(app).document(url)).page.component, 'identity/password-reset/new')
  const page = await browser.visit(url)
  t.same(page.props.auth, { user: null, session: null })
  t.notOk('accounts' in page.props)
  t.ok((await browser.visit('/settings/profile')).props.auth.user, 'the session is intact')
})

t.test('the link opens a page with the token and the address, however often, and stays valid', async (t) => {
  const { db, browser, visitor, mint, person, hasPassword } = await startForgetful(t)
  const sid = await mint()
  const before = await db.select().from(users)
  for (let visit = 0; visit < 3; visit++) {
    const page = await visitor.visit(`/identity/password_reset/edit?sid=${sid}`)
    t.equal(page.component, 'identity/password-reset/edit')
    t.match(page.props, { sid, email: person.email, auth: { user: null, session: null } })
  }
  t.same(await db.select().from(users), before)
  const page = await browser.submit('PUT', '/identity/password_reset', { sid, ...both(fresh) })
  t.equal(page.component, 'auth/sign-in')
  t.equal(page.props.auth.user, null, "one's own session ends too")
  t.ok(await hasPassword(fresh))
})

t.test('a wrong link redirects to the request page', async (t) => {
  const { app, hasPassword, user } = await startForgetful(t)
  const verification = await sidOf(app, 'email_verification', user.id)
  for (const sid of ['', 'invalid', 'a.b.c', '!!!.???', verification]) {
    const browser = await Browser.open(app)
    for (const page of [
      await browser.visit(`/identity/password_reset/edit?sid=${sid}`),
      await browser.follow(await reset(browser, sid)),
    ]) {
      t.equal(page.component, 'identity/password-reset/new')
      t.same(page.flash, invalid)
    }
  }
  t.same(await flashOf(await Browser.open(app), null), invalid)
  t.ok(await hasPassword(password))
})

t.test('a reset sets the password, ends all sessions of that user and sends a mail', async (t) => {
  const { app, db, visitor, mint, person, browser, user } = await startForgetful(t)
  const other = await signedUp(app)
  await forgetMails(db)
  const response = await reset(visitor, await mint())
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/sign_in')
  const notice = 'Your password was reset successfully. Please sign in'
  t.same((await visitor.follow(response)).flash, { notice })

  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await other.browser.visit('/settings/profile')).component, 'settings/profile', 'others stay')
  t.equal((await signedIn(app, { email: person.email, password })).page.component, 'auth/sign-in')
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  const mails = (await queuedMails(db)).map(({ mail, userId = '' }) => `${mail} ${userId}`)
  t.same(mails, [`password_changed ${user.id}`, 'new_sign_in '])
})

t.test('a reset in a browser that was signed in does not say that the session has ended', async (t) => {
  const { browser, mint } = await startForgetful(t)
  await reset(browser, await mint())
  const { page } = await browser.document('/sign_in')
  t.same(page.flash, { notice: 'Your password was reset successfully. Please sign in' })
  t.notOk(browser.cookies.has('session_token'))
})

t.test('a link becomes invalid after twenty minutes, by its use, and by a change of password or address', async (t) => {
  const { visitor, mint, clock, browser, person, hasPassword } = await startForgetful(t)
  const first = await mint()
  for (const email of ['elsewhere@example.com', person.email]) {
    await changeEmail({ browser }, email)
    t.same(await flashOf(visitor, first), invalid)
  }

  const older = await mint()
  await browser.submit('PATCH', '/settings/password', { ...both(fresh), password_challenge: password })
  t.same(await flashOf(visitor, older), invalid)

  const last = await mint()
  clock.forward({ minutes: 20, seconds: 1 })
  t.same(await flashOf(visitor, last), invalid)
  clock.forward({ minutes: -1, seconds: -1 })
  await reset(visitor, last, both('the very last password'))
  t.same(await flashOf(visitor, last), invalid)
  t.ok(await hasPassword('the very last password'))
})

t.test("mistakes redirect back to the link's page, or are told ahead, and it stays valid", async (t) => {
  const { visitor, mint, hasPassword } = await startForgetful(t)
  const sid = await mint()
  const mistakes: [object, object][] = [
    [{ password_confirmation: 'other' }, { password_confirmation: ["doesn't match Password"] }],
    [both(''), { password: ["can't be blank"] }],
    [both(null), { password: ["can't be blank"] }],
    [both('short'), { password: ['is too short (minimum is 12 characters)'] }],
  ]
  for (const [body, errors] of mistakes) {
    const response = await reset(visitor, sid, body)
    t.equal(response.headers.location, `/identity/password_reset/edit?sid=${encodeURIComponent(sid)}`)
    const page = await visitor.follow(response)
    t.equal(page.component, 'identity/password-reset/edit')
    t.equal(page.props.sid, sid)
    t.same(page.props.errors, errors)
  }
  for (const method of ['PATCH', 'PUT'] as const) {
    const check = (body: object) => visitor.precognize(method, '/identity/password_reset', { sid, ...body })
    const wrong = await check({ password: 'short', password_confirmation: '' })
    t.equal(wrong.statusCode, 422)
    t.same(Object.keys(wrong.json().errors), ['password', 'password_confirmation'])
    t.equal((await check(both(fresh))).statusCode, 204)
  }
  t.ok(await hasPassword(password))
  t.equal((await reset(visitor, sid)).headers.location, '/sign_in')
})

t.test('of two requests with the same link, the second changes nothing, not even a newer session', async (t) => {
  const { app, db, mint, person, hasPassword } = await startForgetful(t)
  const checked = await userOfLink(app, 'password_reset', await mint())
  if (!checked) throw new Error('the link is valid')
  t.ok(await resetPassword(app, checked, fresh))
  await signedIn(app, { email: person.email, password: fresh })

  t.notOk(await resetPassword(app, checked, 'the password of the loser'))
  t.ok(await hasPassword(fresh))
  t.equal((await db.select().from(sessions)).length, 1)

  const before = await userRow(db, checked.id)
  await db.update(users).set({ emailRevision: before.emailRevision + 1 })
  t.notOk(await resetPassword(app, before, 'the password of the loser'), 'nor when the address changes meanwhile')
})

t.test('one link used five times concurrently works once', async (t) => {
  const { app, mint } = await startForgetful(t)
  const sid = await mint()
  const attempts = Array.from({ length: 5 }, async () => reset(await Browser.open(app), sid))
  const locations = (await Promise.all(attempts)).map(({ headers }) => headers.location)
  t.same(locations.sort(), [...Array(4).fill('/identity/password_reset/new'), '/sign_in'])
})
