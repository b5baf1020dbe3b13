import t from 'tap'
import { sessions } from '../../../drizzle/schema.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { password, sharedPerson, signedUp, somebody } from '../../helpers/people.ts'

const create = (browser: Browser, headers: Record<string, string>) =>
  browser.send('POST', '/accounts', { body: { name: 'Initech' }, headers })

const sessionOf = async (browser: Browser) => (await browser.visit('/settings/profile')).props.auth.session.id

t.test('the cookies: a secret out of reach of scripts, and a readable token', async (t) => {
  const { app } = await sharedApp(t)
  const cookies = async (headers: Record<string, string>) => {
    const response = await new Browser(app).send('GET', '/sign_in', { headers })
    return [response.headers['set-cookie'] ?? []].flat()
  }
  const [secret = '', token = ''] = await cookies({})
  t.match(secret, /^csrf_secret=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
  t.match(token, /^XSRF-TOKEN=[A-Za-z0-9_-]+; Path=\/; SameSite=Lax$/)
  for (const cookie of await cookies({ 'x-forwarded-proto': 'https' })) t.match(cookie, /; Secure/)
})

t.test('a GET with valid cookies sets none', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  t.equal((await browser.request('GET', '/sign_in')).headers['set-cookie'], undefined)
})

t.test('a stale token is replaced on GET, and the secret kept', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const secret = browser.cookies.get('csrf_secret')
  const token = browser.cookies.get('XSRF-TOKEN')
  browser.cookies.set('XSRF-TOKEN', 'stale')
  await browser.request('GET', '/sign_in')
  t.equal(browser.cookies.get('XSRF-TOKEN'), token)
  t.equal(browser.cookies.get('csrf_secret'), secret)
})

t.test('the token passes in either header', async (t) => {
  const { browser } = await sharedPerson(t)
  const token = browser.csrfHeader()['x-xsrf-token'] ?? ''
  t.equal((await create(browser, { 'x-xsrf-token': token })).statusCode, 302)
  t.equal((await create(browser, { 'x-csrf-token': token })).statusCode, 302)
})

t.test('one genuine token is enough among those of parent domains', async (t) => {
  const { browser } = await sharedPerson(t)
  const token = browser.csrfHeader()['x-xsrf-token'] ?? ''
  const statusOf = async (sent: string) => (await create(browser, { 'x-xsrf-token': sent })).statusCode
  for (const sent of [`foreign,${token}`, `${token},foreign`, `a , ${token} ,,b`])
    t.equal(await statusOf(sent), 302, sent)
  for (const sent of ['a,b', ',', `${token} foreign`, `${token};foreign`]) t.equal(await statusOf(sent), 422, sent)
})

t.test('a missing, short or foreign token, or one without its secret, is 422', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const page = (await app.inject('/422.html')).body
  const foreign = (await Browser.open(app)).csrfHeader()
  const own = browser.csrfHeader()
  for (const headers of [{}, { 'x-xsrf-token': '' }, { 'x-xsrf-token': 'x' }, foreign]) {
    for (const protocol of [{}, { 'x-inertia': 'true' }] as Record<string, string>[]) {
      const response = await create(browser, { ...headers, ...protocol })
      t.equal(response.statusCode, 422)
      t.equal(response.body, page)
      t.equal(response.headers['x-inertia'], undefined)
    }
  }
  const session = browser.cookies.get('session_token') ?? ''
  const without = new Browser(app)
  without.cookies.set('session_token', session)
  t.equal((await create(without, own)).statusCode, 422)
  without.cookies.set('csrf_secret', 'unsigned')
  t.equal((await create(without, own)).statusCode, 422)
})

t.test('a pair from before a sign-in or of another person is invalid in a session', async (t) => {
  const { app } = await sharedApp(t)
  const guest = await Browser.open(app)
  const { browser } = await signedUp(app)
  const { browser: other } = await signedUp(app)
  const own = browser.cookies.get('session_token') ?? ''

  for (const stranger of [guest, other]) {
    const forger = new Browser(app)
    forger.cookies.set('csrf_secret', stranger.cookies.get('csrf_secret') ?? '')
    forger.cookies.set('session_token', own)
    t.equal((await create(forger, stranger.csrfHeader())).statusCode, 422)
  }
  t.equal((await create(browser, browser.csrfHeader())).statusCode, 302)
})

t.test('sign-up, sign-in, sign-out and deletion give a new pair, and the old one is invalid', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const person = somebody()
  const { cookies } = browser
  const pair = () => [cookies.get('csrf_secret'), cookies.get('XSRF-TOKEN')]
  const steps = [
    () => browser.request('POST', '/sign_up', { body: person }),
    async () => browser.request('DELETE', `/sessions/${await sessionOf(browser)}`),
    () => browser.request('POST', '/sign_in', { body: person }),
    () => browser.request('DELETE', '/users', { body: { password_challenge: password } }),
  ]
  for (const step of steps) {
    const [secret = '', token = ''] = pair()
    t.equal(String((await step()).statusCode).at(0), '3')
    t.not(cookies.get('csrf_secret'), secret)
    t.not(cookies.get('XSRF-TOKEN'), token)
    t.not((await create(browser, browser.csrfHeader())).statusCode, 422, 'without a page in between')
    const late = new Browser(app)
    for (const [name, value] of cookies) late.cookies.set(name, value)
    late.cookies.set('csrf_secret', secret)
    t.equal((await create(late, { 'x-xsrf-token': token })).statusCode, 422)
  }
})

t.test('a browser whose session ended elsewhere is redirected to sign-in, and can sign in', async (t) => {
  const { db, browser, person } = await sharedPerson(t)
  await db.delete(sessions)

  const refused = await create(browser, browser.csrfHeader())
  t.equal(refused.statusCode, 302)
  t.equal(refused.headers.location, '/sign_in')
  const page = await browser.submit('POST', '/sign_in', person)
  t.equal(page.component, 'accounts/show')
  t.equal((await create(browser, browser.csrfHeader())).statusCode, 302)
})

t.test('a tab opened before a sign-in or sign-out in another one continues with the new cookies', async (t) => {
  const { browser, person } = await sharedPerson(t)
  await browser.request('DELETE', `/sessions/${await sessionOf(browser)}`)
  t.equal((await create(browser, browser.csrfHeader())).headers.location, '/sign_in', 'the tab that was signed in')
  await browser.request('POST', '/sign_in', { body: person })
  t.equal((await browser.submit('POST', '/sign_in', person)).component, 'accounts/show', 'the one that was not')
})

t.test('a rejection gives our own browser the right token, and another site nothing', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const refuse = (headers: Record<string, string>) => create(browser, { 'x-xsrf-token': 'stale', ...headers })

  t.equal((await refuse({ 'sec-fetch-site': 'cross-site' })).headers['set-cookie'], undefined)
  t.equal((await refuse({ origin: 'https://evil.example' })).headers['set-cookie'], undefined)
  browser.cookies.set('XSRF-TOKEN', 'stale')
  t.equal((await refuse({})).statusCode, 422)
  t.equal((await create(browser, browser.csrfHeader())).statusCode, 302)
  t.equal((await create(new Browser(app), {})).headers['set-cookie'], undefined)
})

t.test('a rejection is JSON if preferred, and not mistaken for a precognition response', async (t) => {
  const { app } = await sharedApp(t)
  const response = await new Browser(app).precognize('POST', '/sign_up', {})
  t.equal(response.statusCode, 422)
  t.equal(response.body, '{"status":422,"error":"Unprocessable Content"}')
  t.equal(response.headers.precognition, undefined)
})

t.test('another site is refused even with a valid token', async (t) => {
  const { browser } = await sharedPerson(t)
  const from = async (headers: Record<string, string>) =>
    (await create(browser, { ...browser.csrfHeader(), ...headers })).statusCode

  t.equal(await from({ 'sec-fetch-site': 'cross-site' }), 422)
  t.equal(await from({ 'sec-fetch-site': 'same-origin' }), 302)
  t.equal(await from({ origin: 'https://evil.example' }), 422)
  t.equal(await from({ origin: 'null' }), 422)
  for (const own of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    t.equal(await from({ origin: own }), 302, own)
  }
  for (const other of [
    'http://localhost:3001',
    'https://localhost:3000',
    'http://192.168.0.2:3000',
    'http://localhost.evil.example:3000',
  ]) {
    t.equal(await from({ origin: other }), 422, other)
  }
})

t.test('in production only the public origin is our own', async (t) => {
  const { app } = await startApp(t, { NODE_ENV: 'production' })
  const { browser } = await signedUp(app)
  const from = async (origin: string) => (await create(browser, { ...browser.csrfHeader(), origin })).statusCode
  t.equal(await from('http://localhost:3000'), 302)
  t.equal(await from('http://127.0.0.1:3000'), 422)
})
