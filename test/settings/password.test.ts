import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { changePassword } from '../../features/settings/changes.ts'
import { digestOf, isPassword } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { byDigest, password, signedIn, signedUp, verify } from '../helpers/people.ts'
import { forgetMails, queuedMails } from '../helpers/records.ts'

const fresh = 'a fresh new password'
const right = { password: fresh, password_confirmation: fresh, password_challenge: password }

async function startSettings(t: Test) {
  const started = await sharedApp(t)
  const someone = await signedUp(started.app)
  await forgetMails(started.db)
  const digest = async () => {
    const [user] = await started.db.select().from(users).where(eq(users.id, someone.user.id))
    return user?.passwordDigest
  }
  const change = (body: object) => someone.browser.submit('PATCH', '/settings/password', body)
  return { ...started, ...someone, digest, change }
}

t.test('a change signs out all other browsers of that user, and sends a mail', async (t) => {
  const { app, db, change, person, browser, user } = await startSettings(t)
  await verify(db, user.id)
  const second = await signedIn(app, person)
  const other = await signedUp(app)
  await forgetMails(db)

  const page = await change(right)
  t.equal(page.url, '/settings/password')
  t.same(page.flash, { notice: 'Your password has been changed' })
  t.equal((await browser.visit('/settings/sessions')).props.sessions.length, 1)
  t.equal((await second.browser.visit('/settings/sessions')).component, 'auth/sign-in')
  t.equal((await other.browser.visit('/settings/sessions')).component, 'settings/sessions')
  t.equal((await signedIn(app, { email: person.email, password })).page.component, 'auth/sign-in')
  t.equal((await signedIn(app, { email: person.email, password: fresh })).page.component, 'accounts/show')
  t.match((await queuedMails(db))[0], { mail: 'password_changed', userId: user.id })
})

t.test('the browser that made the change has a new token, and a copy of its old one is invalid', async (t) => {
  const { app, browser, page, change } = await startSettings(t)
  const copy = new Browser(app)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)

  const { id } = (await change(right)).props.auth.session
  t.not(id, page.props.auth.session.id)
  t.same(
    (await browser.visit('/settings/sessions')).props.sessions.map((session: { id: string }) => session.id),
    [id],
  )
  const next = await browser.submit('POST', '/accounts', { name: 'Initech' })
  t.equal(next.component, 'accounts/show', 'with the right CSRF token')

  t.equal((await copy.visit('/settings/sessions')).component, 'auth/sign-in')
  t.equal((await copy.submit('POST', '/accounts', { name: 'Mine' })).component, 'auth/sign-in')
})

t.test('a wrong challenge changes nothing', async (t) => {
  const { app, change, digest, person } = await startSettings(t)
  const before = await digest()
  const second = await signedIn(app, person)
  for (const challenge of ['wrong', null, undefined]) {
    const page = await change({ ...right, password_challenge: challenge })
    t.same(page.props.errors, { password_challenge: ['is invalid'] })
  }
  t.equal(await digest(), before)
  t.equal((await second.browser.visit('/settings/sessions')).component, 'settings/sessions')
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

t.test('without a new password nothing changes, but the challenge is still required', async (t) => {
  const { app, db, change, digest, person } = await startSettings(t)
  const before = await digest()
  const second = await signedIn(app, person)
  for (const body of [{}, { password: null }, { password: '' }, { password: '', password_confirmation: 'other' }]) {
    t.same((await change({ ...body, password_challenge: password })).flash, {
      notice: 'Your password has been changed',
    })
    t.same((await change({ ...body, password_challenge: 'wrong' })).props.errors, {
      password_challenge: ['is invalid'],
    })
  }
  t.equal(await digest(), before)
  t.equal((await second.browser.visit('/settings/sessions')).component, 'settings/sessions')
  t.same(await queuedMails(db), [])
})

t.test('a password that changes after the challenge was verified prevents the change', async (t) => {
  const { app, db, user, digest } = await startSettings(t)
  for (const password of [right.password, undefined]) {
    const confirmed = { userId: user.id, token: '', reauthentication: byDigest(await digest()) }
    await db.update(users).set({ passwordDigest: await digestOf(fresh) })
    t.match(await changePassword(app, confirmed, password).catch((error) => error), {
      errors: { password_challenge: [{ text: 'is invalid' }] },
    })
  }
})

t.test('PUT does what PATCH does', async (t) => {
  const { browser, digest } = await startSettings(t)
  await browser.submit('PUT', '/settings/password', right)
  t.ok(await isPassword(fresh, await digest()))
})

t.test('precognition answers, changes nothing and shares the budget', async (t) => {
  const { app, browser, change, digest, person } = await startSettings(t)
  const before = await digest()
  const second = await signedIn(app, person)
  t.equal((await browser.precognize('PATCH', '/settings/password', right)).statusCode, 204)
  const wrong = await browser.precognize(
    'PUT',
    '/settings/password',
    { ...right, password_confirmation: '' },
    'password_confirmation',
  )
  t.same(wrong.json(), { errors: { password_confirmation: ["doesn't match Password"] } })
  t.equal(await digest(), before)
  t.equal((await second.browser.visit('/settings/sessions')).component, 'settings/sessions')

  for (let count = 0; count < 4; count++) await browser.precognize('PATCH', '/settings/password', right)
  for (let count = 0; count < 4; count++) await change({ ...right, password_challenge: 'wrong' })
  t.same((await change(right)).flash, { alert: 'Try again later.' })
  const refused = await browser.precognize('PATCH', '/settings/password', right)
  t.ok(refused.headers['retry-after'])
  t.equal(refused.statusCode, 429)
  t.equal(
    (await second.browser.precognize('PATCH', '/settings/password', right)).statusCode,
    204,
    'another client has its own',
  )
})
