import t, { type Test } from 'tap'
import { password, sharedPerson, signedIn, signedUp, userRow, verify } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const fresh = 'a fresh new password'
const right = { password: fresh, password_confirmation: fresh, password_challenge: password }
const changed = { notice: 'Your password has been changed' }

async function startSettings(t: Test) {
  const started = await sharedPerson(t)
  const { app, db, person, user, browser } = started
  const second = await signedIn(app, person)
  await forgetMails(db)
  const digest = async () => (await userRow(db, user.id)).passwordDigest
  const change = (body: object) => browser.submit('PATCH', '/settings/password', body)
  const secondIsOn = async () => (await second.browser.visit('/settings/sessions')).component
  return { ...started, second, digest, change, secondIsOn }
}

t.test('a change signs out all other browsers of that user, and sends a mail', async (t) => {
  const { app, db, change, person, browser, user, secondIsOn } = await startSettings(t)
  await verify(db, user.id)
  const other = await signedUp(app)
  await forgetMails(db)

  const page = await change(right)
  t.equal(page.url, '/settings/password')
  t.same(page.flash, changed)
  t.equal((await browser.visit('/settings/sessions')).props.sessions.length, 1)
  t.equal(await secondIsOn(), 'auth/sign-in')
  t.equal((await other.browser.visit('/settings/sessions')).component, 'settings/sessions')
  t.equal((await signedIn(app, { email: person.email, password })).page.component, 'auth/sign-in')
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  t.match((await queuedMails(db))[0], { mail: 'password_changed', userId: user.id })
})

t.test('the browser that made the change has a new token, and a copy of its old one is invalid', async (t) => {
  const { db, browser, session, change } = await startSettings(t)
  const copy = browser.copy()
  const { id } = (await change(right)).props.auth.session
  t.not(id, session)
  const { sessions } = (await browser.visit('/settings/sessions')).props
  t.equal(sessions.map((session: { id: string }) => session.id).join(), id)
  const next = await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal(next.component, 'accounts/show', 'with the right CSRF token')

  t.equal((await copy.visit('/settings/sessions')).component, 'auth/sign-in')
  t.equal((await copy.submit('POST', '/accounts', { name: 'Mine' })).component, 'auth/sign-in')
  t.same(await queuedMails(db), [], 'an address that was never proved gets no mail')
})

t.test('all mistakes are reported together, by a redirect with 303', async (t) => {
  const { browser } = await startSettings(t)
  const body = { password: 'short', password_confirmation: 'other', password_challenge: 'wrong' }
  const response = await browser.request('PATCH', '/settings/password', { body })
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/settings/password')
  t.same((await browser.follow(response)).props.errors, {
    password: ['is too short (minimum is 12 characters)'],
    password_confirmation: ["doesn't match Password"],
    password_challenge: ['is invalid'],
  })
})

t.test('without a new password nothing changes', async (t) => {
  const { db, change, digest, secondIsOn } = await startSettings(t)
  const before = await digest()
  for (const body of [{}, { password: null }, { password: '' }, { password: '', password_confirmation: 'other' }]) {
    t.same((await change({ ...body, password_challenge: password })).flash, changed)
  }
  t.equal(await digest(), before)
  t.equal(await secondIsOn(), 'settings/sessions')
  t.same(await queuedMails(db), [])
})

t.test('precognition answers, changes nothing and shares the budget', async (t) => {
  const { browser, change, digest, second, secondIsOn } = await startSettings(t)
  const before = await digest()
  const check = (by = browser) => by.precognize('PATCH', '/settings/password', right)
  t.equal((await check()).statusCode, 204)
  const mistyped = { ...right, password_confirmation: '' }
  const wrong = await browser.precognize('PUT', '/settings/password', mistyped, 'password_confirmation')
  t.same(wrong.json(), { errors: { password_confirmation: ["doesn't match Password"] } })
  t.equal(await digest(), before)
  t.equal(await secondIsOn(), 'settings/sessions')

  for (let count = 0; count < 4; count++) await check()
  for (let count = 0; count < 4; count++) await change({ ...right, password_challenge: 'wrong' })
  t.same((await change(right)).flash, { alert: 'Try again later.' })
  const refused = await check()
  t.equal(refused.statusCode, 429)
  t.ok(refused.headers['retry-after'])
  t.equal((await check(second.browser)).statusCode, 204, 'another client has its own')
})
