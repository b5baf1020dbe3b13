import t from 'tap'
import { sessions } from '../../../drizzle/schema.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { password, sharedPerson, signedUp, somebody } from '../../helpers/people.ts'

type Headers = Record<string, string>

const create = (browser: Browser, headers: Headers = browser.csrfHeader()) =>
  browser.send('POST', '/accounts', { body: { name: 'Initech' }, headers })
const statusOf = async (...given: Parameters<typeof create>) => (await create(...given)).statusCode

const endSession = async (browser: Browser) => {
  const { props } = await browser.visit('/settings/profile')
  return browser.request('DELETE', `/sessions/${props.auth.session.id}`)
}

t.test('the cookies: a secret out of reach of scripts, and a readable token', async (t) => {
  const { app } = await sharedApp(t)
  const cookies = async (headers: Headers) => {
    const response = await new Browser(app).send('GET', '/sign_in', { headers })
    return [response.headers['set-cookie'] ?? []].flat()
  }
  const [secret = '', token = ''] = await cookies({})
  t.match(secret, /^csrf_secret=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
  t.match(token, /^XSRF-TOKEN=[A-Za-z0-9_-]+; Path=\/; SameSite=Lax$/)
  for (const cookie of await cookies({ 'x-forwarded-proto': 'https' })) t.match(cookie, /; Secure/)
})

t.test('a GET with valid cookies sets none, and one with a stale token a new one for the same secret', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const before = new Map(browser.cookies)
  t.equal((await browser.request('GET', '/sign_in')).headers['set-cookie'], undefined)
  browser.cookies.set('XSRF-TOKEN', 'stale')
  await browser.request('GET', '/sign_in')
  t.same(browser.cookies, before)
})

t.test('the token passes in either header, and one genuine is enough among those of parent domains', async (t) => {
  const { browser } = await sharedPerson(t)
  const token = browser.csrfHeader()['x-xsrf-token'] ?? ''
  t.equal(await statusOf(browser, { 'x-csrf-token': token }), 302)
  for (const sent of [token, `foreign,${token}`, `${token},foreign`, `a , ${token} ,,b`])
    t.equal(await statusOf(browser, { 'x-xsrf-token': sent }), 302, sent)
  for (const sent of ['a,b', ',', `${token} foreign`, `${token};foreign`])
    t.equal(await statusOf(browser, { 'x-xsrf-token': sent }), 422, sent)
})

t.test('a missing, short or foreign token, or one without its secret, is 422', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const page = (await app.inject('/422.html')).body
  const foreign = (await Browser.open(app)).csrfHeader()
  for (const headers of [{}, { 'x-xsrf-token': '' }, { 'x-xsrf-token': 'x' }, foreign]) {
    for (const protocol of [{}, { 'x-inertia': 'true' }] as Headers[]) {
      const { statusCode, body, headers: answered } = await create(browser, { ...headers, ...protocol })
      t.same([statusCode, body, answered['x-inertia']], [422, page, undefined])
    }
  }
  t.equal(await statusOf(await Browser.open(app), foreign), 422, 'also among guests')
  const without = new Browser(app)
  without.cookies.set('session_token', browser.cookies.get('session_token') ?? '')
  t.equal(await statusOf(without, browser.csrfHeader()), 422)
  without.cookies.set('csrf_secret', 'unsigned')
  t.equal(await statusOf(without, browser.csrfHeader()), 422)
})

t.test('the pair of another person, or of none, is invalid in a session', async (t) => {
  const { app } = await sharedApp(t)
  const { browser } = await signedUp(app)
  for (const stranger of [await Browser.open(app), (await signedUp(app)).browser]) {
    stranger.cookies.set('session_token', browser.cookies.get('session_token') ?? '')
    t.equal(await statusOf(stranger), 422)
  }
  t.equal(await statusOf(browser), 302)
})

t.test('sign-up, sign-in, sign-out and deletion give a new pair, and the old one is invalid', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const person = somebody()
  const { cookies } = browser
  for (const step of [
    () => browser.request('POST', '/sign_up', { body: person }),
    () => endSession(browser),
    () => browser.request('POST', '/sign_in', { body: person }),
    () => browser.request('DELETE', '/users', { body: { password_challenge: password } }),
  ]) {
    const [secret = '', token = ''] = [cookies.get('csrf_secret'), cookies.get('XSRF-TOKEN')]
    t.equal(String((await step()).statusCode).at(0), '3')
    t.not(cookies.get('csrf_secret'), secret)
    t.not(cookies.get('XSRF-TOKEN'), token)
    t.not(await statusOf(browser), 422, 'without a page in between')
    const late = new Browser(app)
    for (const [name, value] of cookies) late.cookies.set(name, value)
    late.cookies.set('csrf_secret', secret)
    t.equal(await statusOf(late, { 'x-xsrf-token': token }), 422)
  }
})

t.test('a tab continues with the new cookies after a sign-in, a sign-out or the end of its session', async (t) => {
  const { db, browser, person } = await sharedPerson(t)
  for (const end of [() => db.delete(sessions), () => endSession(browser)]) {
    await end()
    t.equal((await create(browser)).headers.location, '/sign_in', 'the tab that was signed in')
    await browser.request('POST', '/sign_in', { body: person })
    t.equal((await browser.submit('POST', '/sign_in', person)).component, 'accounts/show', 'the one that was not')
    t.equal(await statusOf(browser), 302)
  }
})

t.test('a rejection gives our own browser the right token, and another site nothing', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const refuse = (headers: Headers) => create(browser, { 'x-xsrf-token': 'stale', ...headers })
  t.equal((await refuse({ 'sec-fetch-site': 'cross-site' })).headers['set-cookie'], undefined)
  t.equal((await refuse({ origin: 'https://evil.example' })).headers['set-cookie'], undefined)
  browser.cookies.set('XSRF-TOKEN', 'stale')
  t.equal((await refuse({})).statusCode, 422)
  t.equal(await statusOf(browser), 302)
  t.equal((await create(new Browser(app), {})).headers['set-cookie'], undefined)
})

t.test('a rejection is JSON if preferred, and not mistaken for a precognition response', async (t) => {
  const { app } = await sharedApp(t)
  const { statusCode, body, headers } = await new Browser(app).precognize('POST', '/sign_up', {})
  t.same([statusCode, body], [422, '{"status":422,"error":"Unprocessable Content"}'])
  t.equal(headers.precognition, undefined)
})

t.test('another site is refused even with a valid token', async (t) => {
  const { browser } = await sharedPerson(t)
  const from = (headers: Headers) => statusOf(browser, { ...browser.csrfHeader(), ...headers })
  t.equal(await from({ 'sec-fetch-site': 'cross-site' }), 422)
  t.equal(await from({ 'sec-fetch-site': 'same-origin' }), 302)
  for (const own of ['localhost', '127.0.0.1', '[::1]']) t.equal(await from({ origin: `http://${own}:3000` }), 302, own)
  const lookalikes = ['http://localhost:3001', 'https://localhost:3000', 'http://localhost.evil.example:3000']
  for (const origin of ['null', 'https://evil.example', 'http://192.168.0.2:3000', ...lookalikes])
    t.equal(await from({ origin }), 422, origin)
})

t.test('in production only the public origin is our own', async (t) => {
  const { app } = await startApp(t, { NODE_ENV: 'production' })
  const { browser } = await signedUp(app)
  const from = (origin: string) => statusOf(browser, { ...browser.csrfHeader(), origin })
  t.equal(await from('http://localhost:3000'), 302)
  t.equal(await from('http://127.0.0.1:3000'), 422)
})
