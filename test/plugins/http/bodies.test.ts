import t from 'tap'
import { collectingRoutes, fill } from '../../fuzz/routes.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

const json = { accept: 'application/json' }
const asForm = { ...json, 'content-type': 'application/x-www-form-urlencoded' }

t.test('a form or an object of more than 1,000 names is too large', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const url = '/identity/password_reset'
  const named = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`)
  for (const [count, status] of [
    [1_000, 302],
    [1_001, 413],
  ] as const) {
    const headers = { ...browser.csrfHeader(), cookie: browser.cookieHeader(), ...browser.headers }
    const form = await app.inject({
      method: 'PATCH',
      url,
      headers: { ...headers, ...asForm },
      payload: named(count).join('&'),
    })
    t.equal(form.statusCode, status)
    const body = Object.fromEntries(named(count).map((name) => [name, '']))
    const object = await browser.send('PATCH', url, { body, headers: { ...json, ...browser.csrfHeader() } })
    t.equal(object.statusCode, status)
    if (status === 413) t.same(object.json(), { status: 413, error: 'Payload Too Large' })
  }
})

t.test('JSON that holds too much is refused before it is parsed', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const send = async (payload: string) => {
    const headers = { ...browser.headers, ...browser.csrfHeader(), cookie: browser.cookieHeader() }
    const type = { 'content-type': 'application/json' }
    const url = '/identity/password_reset'
    const { statusCode } = await app.inject({ method: 'PATCH', url, payload, headers: { ...headers, ...type } })
    return statusCode
  }
  const object = (value: string) => `{"x":${value}}`
  t.equal(await send(object('['.repeat(500_000))), 413, 'although it never ends, which parsing would find')
  t.equal(await send(object('{"a":'.repeat(1_000))), 413)
  t.equal(await send(object(`[${'{},'.repeat(5_000)}{}]`)), 413)
  t.equal(await send(object(`[${'"",'.repeat(10_000)}""]`)), 413)
  t.equal(await send(object(`[${'{"a":0},'.repeat(1_000)}0]`)), 413, 'names inside of it count, too')
  t.equal(await send(object(`[${'{"a":0},'.repeat(999)}0]`)), 302)
  t.equal(await send(object(`[${'1,'.repeat(9_998)}1]`)), 302)
  t.equal(await send(object(`[${'1,'.repeat(9_998)}1`)), 400)
  t.equal(await send(object(JSON.stringify('":,[{\\'.repeat(100_000)))), 302, 'a text may hold anything')
  t.equal(await send(`${object('""')}${' '.repeat(100_000)}`), 302)
})

t.test('a body takes precedence over the query, and names that a route does not know are ignored', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const fields = ['name', 'email', 'password', 'password_confirmation']
  const query = fields.map((name) => `${name}=short`).join('&')
  const { statusCode } = await browser.send('POST', `/sign_up?${query}&x=1`, {
    body: { email: null, __proto__: 1 },
    headers: browser.csrfHeader(),
  })
  t.equal(statusCode, 400, 'its null wins')
  const { props } = await browser.submit('POST', `/sign_up?${query}`, { email: 'ada@example.com', x: 1 })
  t.match(props.errors, { password: [/is too short/] })
  t.notOk(props.errors.email)
})

t.test('everything that a guest may change has a rate limit', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app } = await startApp(t, {}, { frontend })
  const browser = await Browser.open(app)
  const open: string[] = []
  for (const { method, url, isLimited } of routes) {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method) || isLimited) continue
    const values = { slug: 'acme', id: '1', token: 'x' }
    const response = await browser.send(method as 'POST', fill(url, values), {
      body: {},
      headers: browser.csrfHeader(),
    })
    if (response.headers.location !== '/sign_in') open.push(`${method} ${url}: ${response.statusCode}`)
  }
  t.same(open, [])
})
