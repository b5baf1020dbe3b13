import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { sharedApp, startApp } from './helpers/app.ts'
import { Browser } from './helpers/browser.ts'
import { sharedPerson, signedUp, somebody } from './helpers/people.ts'
import { operatorOf } from './helpers/postgres.ts'

/** Sends a body as it is. */
const sendRaw = (
  app: FastifyInstance,
  browser: Browser,
  method: 'POST' | 'PUT',
  url: string,
  payload: string | Buffer,
  headers: object,
) =>
  app.inject({
    method,
    url,
    payload,
    headers: { ...browser.headers, ...browser.csrfHeader(), cookie: browser.cookieHeader(), ...headers },
  })
const json = { 'content-type': 'application/json' }

t.test('a body that is not an object is a 400', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  let client = 0
  const send = (payload: string | Buffer, headers: object = json) =>
    sendRaw(app, browser, 'POST', '/sign_in', payload, { 'x-forwarded-for': `10.0.0.${++client}`, ...headers })
  const poisoned = ['{"__proto__": {"admin": true}}', '{"constructor": {"prototype": {}}}']
  for (const body of ['{', '[]', '"text"', '1', 'null', 'true', '', ...poisoned])
    t.equal((await send(body)).statusCode, 400, body)
  t.equal((await send('<a/>', { 'content-type': 'text/xml' })).statusCode, 400, 'a kind that nobody reads')
  const packed = gzipSync('{"email":"a","password":"b"}')
  t.equal((await send(packed, { ...json, 'content-encoding': 'gzip' })).statusCode, 400, 'nothing is unpacked')
  t.equal((await send('x'.repeat(1_048_577))).statusCode, 413)
  t.equal((await send(`{"email":"a","email":"b","password":${'['.repeat(5000)}${']'.repeat(5000)}}`)).statusCode, 400)
  t.equal((await send('{"email":"a","email":"b","password":"c"}')).headers.location, '/sign_in', 'the last one counts')
  t.equal((await send('{')).body, (await app.inject('/400.html')).body)
  t.equal((await send('{', { ...json, ...preferJson })).body, badRequest)
})

const preferJson = { accept: 'application/json' }
const badRequest = '{"status":400,"error":"Bad Request"}'

t.test('JSON of more than 10,000 values is refused before it is parsed, while texts hold any characters', async (t) => {
  const { browser } = await sharedPerson(t)
  const headers = { ...browser.csrfHeader(), accept: 'text/html' }
  const statusOf = async (x: unknown) =>
    (await browser.send('PATCH', '/settings/profile', { body: { name: 'Ana', x }, headers })).statusCode
  t.same(await Promise.all([Array(10_001), Array(5_001).fill([]), Array(9_000)].map(statusOf)), [400, 400, 302])
  for (const end of ['', '"', '\\', '\\"']) t.equal(await statusOf(',[{'.repeat(20_000) + end), 302, end)
})

t.test('an empty JSON body is an empty object', async (t) => {
  const { browser, session } = await sharedPerson(t)
  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string) => browser.request(method, url, { headers: json })
  const resent = await browser.follow(await send('POST', '/identity/email_verification'))
  t.match(resent.flash, { notice: /^We sent/ })
  t.match((await browser.follow(await send('POST', '/accounts'))).props.errors, { name: ["can't be blank"] })
  t.equal((await send('PATCH', '/settings/profile')).statusCode, 303)
  t.equal((await send('DELETE', `/sessions/${session}`)).statusCode, 303)
  t.equal((await send('POST', '/sign_in')).body, badRequest)
})

t.test('several trailing slashes count as one, and no query is too strange', async (t) => {
  const { app, browser, slug } = await sharedPerson(t)
  t.equal((await new Browser(app).document('/sign_in///?a=/b//')).page.component, 'auth/sign-in')
  t.equal((await browser.visit(`/${slug}/members//`)).component, 'accounts/members')
  t.equal((await app.inject('/up///')).statusCode, 200)
  t.equal((await new Browser(app).visit('//')).url, '/', 'which no browser takes for another host')
  const strange = '/sign_in?invitation=%&sid=%E0%A4%A&a[]=1&a=2&__proto__=x'
  t.equal((await new Browser(app).send('GET', strange)).statusCode, 200)
  for (const path of ['//sign_in', '/settings//profile', `/${'/'.repeat(10_000)}x`]) {
    t.equal((await browser.send('GET', path)).statusCode, 404, path.slice(0, 20))
  }
})

t.test('a link token given twice is a wrong one', async (t) => {
  const { app, browser: member } = await sharedPerson(t)
  const browser = await Browser.open(app)
  const [sids, invitations] = ['sid=a&sid=b', 'invitation=a&invitation=b']
  const invalidReset = { alert: 'That password reset link is invalid' }
  t.same((await browser.visit(`/identity/password_reset/edit?${sids}`)).flash, invalidReset)
  t.same((await browser.submit('PATCH', `/identity/password_reset?${sids}`)).flash, invalidReset)
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const { headers } = await sendRaw(app, browser, 'PUT', '/identity/password_reset', sids, urlencoded)
  t.equal(headers.location, '/identity/password_reset/new')
  const { flash } = await member.visit(`/identity/email_verification?${sids}`)
  t.same(flash, { alert: 'That email verification link is invalid' })

  for (const path of ['/sign_in', '/sign_up', '/identity/password_reset/new'])
    t.notOk((await browser.visit(`${path}?${invitations}`)).props.invitation, path)
  const credentials = { email: 'nobody@example.com', password: 'whatever it is' }
  const refused = await browser.submit('POST', `/sign_in?${invitations}`, credentials)
  t.same([refused.url, refused.flash], ['/sign_in', { alert: 'That email or password is incorrect' }])
  const joined = await browser.submit('POST', `/sign_up?${invitations}`, { ...somebody(), name: '' })
  t.same([joined.url, joined.props.errors], ['/sign_up', { name: ["can't be blank"] }])
  for (const sid of [1, {}, ['a'], [1, 2]]) {
    const { statusCode } = await browser.request('PATCH', '/identity/password_reset', { body: { sid } })
    t.equal(statusCode, 400, 'what is no text is a broken request')
  }
})

t.test('unknown fields are ignored, and the body overrides query parameters', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const extra = { id: 7, verified: true, role: 'admin', name: 'Grace' }
  const page = await browser.submit('POST', '/sign_up?name=Query&unknown=1', { ...somebody(), ...extra })
  t.match(page.props.auth.user, { name: 'Grace', verified: false })

  const { name: _, ...nameless } = somebody()
  const guest = await Browser.open(app)
  const refused = await guest.request('POST', '/sign_up?name=Query', { body: { ...nameless, name: null } })
  t.equal(refused.statusCode, 400, 'also where it is null')
  const other = await guest.submit('POST', '/sign_up?name=Query', nameless)
  t.equal(other.props.auth.user.name, 'Query')
})

t.test('an unknown path, or a known one with the wrong method, is the 404 page', async (t) => {
  const { app, browser: member } = await sharedPerson(t)
  const browser = await Browser.open(app)
  const page = (await app.inject('/404.html')).body
  for (const request of [
    ...['GET /un/known', 'PUT /unknown', 'DELETE /', 'PATCH /sign_in', 'POST /settings/sessions', 'GET /sessions/1'],
    ...['PUT /robots.txt', 'GET /users', 'GET /assets', 'GET /admin/settings', 'POST /help/invitations'],
  ]) {
    const [method, path = ''] = request.split(' ')
    const { statusCode, body, headers } = await browser.send(method as 'GET', path)
    t.same([statusCode, body, headers['cache-control']], [404, page, 'no-cache'], request)
  }
  for (const path of ['/users', '/invitations/members']) t.equal((await member.send('GET', path)).statusCode, 404, path)
  const head = await browser.send('HEAD', '/un/known')
  t.same([head.statusCode, head.body], [404, ''])
  const { statusCode, body, headers } = await browser.send('GET', '/un/known', { headers: preferJson })
  const answered = [statusCode, body, headers['content-type'], headers['cache-control']]
  t.same(answered, [404, '{"status":404,"error":"Not Found"}', 'application/json; charset=utf-8', 'no-cache'])
})

t.test('Host headers never appear in a response', async (t) => {
  const { app, browser, slug } = await sharedPerson(t)
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const stale = { 'x-inertia': 'true', 'x-inertia-version': 'old' }
  const requests = [
    ...['/', `/${slug}`, '/unknown'].map((url) => browser.send('GET', url, { headers: evil })),
    browser.send('GET', `/${slug}`, { headers: { ...evil, ...stale } }),
    new Browser(app).send('GET', '/settings/sessions', { headers: evil }),
  ]
  for (const response of await Promise.all(requests))
    t.notMatch(JSON.stringify(response.headers) + response.body, /evil\.example/)
})

t.test('when Postgres ends all connections, requests fail cleanly for a moment and recover', async (t) => {
  const { app, url } = await startApp(t)
  const operator = operatorOf(t, url)
  const { browser, slug } = await signedUp(app)
  const statuses: number[] = []
  let over = false
  const visitors = Array.from({ length: 8 }, async () => {
    while (!over) statuses.push((await browser.send('GET', `/${slug}`)).statusCode)
  })
  while (statuses.length < 40) await new Promise(setImmediate)
  await operator`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  const seen = statuses.length
  while (statuses.length < seen + 40) await new Promise(setImmediate)
  over = true
  await Promise.all(visitors)
  const others = statuses.filter((status) => status !== 200 && status !== 500)
  t.same(others, [], 'a page or the error page, and nothing else')
  let healthy = 0
  for (let visit = 0; visit < 100 && healthy < 20; visit++) {
    const { statusCode } = await browser.send('GET', `/${slug}`)
    healthy = statusCode === 200 ? healthy + 1 : 0
  }
  t.equal(healthy, 20, 'it is well again')
})
