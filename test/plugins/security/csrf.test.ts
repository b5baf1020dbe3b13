import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { signedUp } from '../../helpers/people.ts'

const create = (browser: Browser, headers: Record<string, string>) =>
  browser.send('POST', '/accounts', { body: { name: 'Initech' }, headers })

t.test('the cookies: a secret that no script can read, and a token that one can', async (t) => {
  const { app } = await startApp(t)
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
  const { app } = await startApp(t)
  const browser = await Browser.open(app)
  t.equal((await browser.request('GET', '/sign_in')).headers['set-cookie'], undefined)
})

t.test('a stale token is replaced on GET, and the secret kept', async (t) => {
  const { app } = await startApp(t)
  const browser = await Browser.open(app)
  const secret = browser.cookies.get('csrf_secret')
  const token = browser.cookies.get('XSRF-TOKEN')
  browser.cookies.set('XSRF-TOKEN', 'stale')
  await browser.request('GET', '/sign_in')
  t.equal(browser.cookies.get('XSRF-TOKEN'), token)
  t.equal(browser.cookies.get('csrf_secret'), secret)
})

t.test('the token passes in either header', async (t) => {
  const { app } = await startApp(t)
  const { browser } = await signedUp(app)
  const token = browser.csrfHeader()['x-xsrf-token'] ?? ''
  t.equal((await create(browser, { 'x-xsrf-token': token })).statusCode, 302)
  t.equal((await create(browser, { 'x-csrf-token': token })).statusCode, 302)
})

t.test('a missing, short or foreign token, or one without its secret, is 422', async (t) => {
  const { app } = await startApp(t)
  const { browser } = await signedUp(app)
  const foreign = (await Browser.open(app)).csrfHeader()
  const own = browser.csrfHeader()
  for (const headers of [{}, { 'x-xsrf-token': '' }, { 'x-xsrf-token': 'x' }, foreign]) {
    for (const protocol of [{}, { 'x-inertia': 'true' }] as Record<string, string>[]) {
      const response = await create(browser, { ...headers, ...protocol })
      t.equal(response.statusCode, 422)
      t.match(response.body, /<!doctype html>/i)
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

t.test('a program reads the refusal as JSON, and a precognitive one does not take it for an answer', async (t) => {
  const { app } = await startApp(t)
  const response = await new Browser(app).precognize('POST', '/sign_up', {})
  t.equal(response.statusCode, 422)
  t.equal(response.body, '{"status":422,"error":"Unprocessable Content"}')
  t.equal(response.headers.precognition, undefined)
})

t.test('another site is refused even with a valid token', async (t) => {
  const { app } = await startApp(t)
  const { browser } = await signedUp(app)
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

t.test('in production only the public address is the own origin', async (t) => {
  const { app } = await startApp(t, { NODE_ENV: 'production' })
  const { browser } = await signedUp(app)
  const from = async (origin: string) => (await create(browser, { ...browser.csrfHeader(), origin })).statusCode
  t.equal(await from('http://localhost:3000'), 302)
  t.equal(await from('http://127.0.0.1:3000'), 422)
})
