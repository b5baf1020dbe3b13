import postgres from 'postgres'
import t from 'tap'
import { sharedApp, startApp } from './helpers/app.ts'
import { Browser } from './helpers/browser.ts'
import { sharedPerson, signedUp, somebody } from './helpers/people.ts'

t.test('a body that is not an object is a 400', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  let client = 0
  const json = { 'content-type': 'application/json' }
  const send = (payload: string, headers: Record<string, string> = json) =>
    app.inject({
      method: 'POST',
      url: '/sign_in',
      payload,
      headers: {
        ...browser.headers,
        ...browser.csrfHeader(),
        cookie: browser.cookieHeader(),
        'x-forwarded-for': `10.0.0.${++client}`,
        ...headers,
      },
    })
  for (const body of [
    '{',
    '[]',
    '"text"',
    '1',
    'null',
    'true',
    '',
    '{"__proto__": {"admin": true}}',
    '{"constructor": {"prototype": {}}}',
  ]) {
    t.equal((await send(body)).statusCode, 400, body)
  }
  t.equal((await send('<a/>', { 'content-type': 'text/xml' })).statusCode, 400, 'a kind that nobody reads')
  t.equal((await send('x'.repeat(1_048_577))).statusCode, 413)
  t.equal((await send(`{"email":"a","email":"b","password":${'['.repeat(5000)}${']'.repeat(5000)}}`)).statusCode, 400)
  t.equal((await send('{"email":"a","email":"b","password":"c"}')).headers.location, '/sign_in', 'the last one counts')
  t.equal((await send('{')).body, (await app.inject('/400.html')).body)
  t.equal((await send('{', { ...json, accept: 'application/json' })).body, '{"status":400,"error":"Bad Request"}')
})

t.test('an empty JSON body is an empty object', async (t) => {
  const { browser, page } = await sharedPerson(t)
  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string) =>
    browser.request(method, url, { headers: { 'content-type': 'application/json' } })

  const resent = await send('POST', '/identity/email_verification')
  t.equal(resent.statusCode, 302)
  t.match((await browser.follow(resent)).flash, { notice: /^We sent/ })
  t.match((await browser.follow(await send('POST', '/accounts'))).props.errors, { name: ["can't be blank"] })
  t.equal((await send('PATCH', '/settings/profile')).statusCode, 303)
  const ended = await send('DELETE', `/sessions/${page.props.auth.session.id}`)
  t.equal(ended.statusCode, 303)
  t.equal((await send('POST', '/sign_in')).body, '{"status":400,"error":"Bad Request"}')
})

t.test('several trailing slashes count as one', async (t) => {
  const { app, browser, slug } = await sharedPerson(t)
  t.equal((await new Browser(app).document('/sign_in///?a=/b//')).page.component, 'auth/sign-in')
  t.equal((await browser.visit(`/${slug}/members//`)).component, 'accounts/members')
  t.equal((await app.inject('/up///')).statusCode, 200)
  t.equal((await new Browser(app).visit('//')).url, '/', 'which no browser takes for another host')
  for (const path of ['//sign_in', '/settings//profile', `/${'/'.repeat(10_000)}x`]) {
    t.equal((await browser.send('GET', path)).statusCode, 404, path.slice(0, 20))
  }
})

t.test('a link token given twice is a wrong one', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  const invalidReset = { alert: 'That password reset link is invalid' }
  t.same((await browser.visit('/identity/password_reset/edit?sid=a&sid=b')).flash, invalidReset)
  t.same((await browser.submit('PATCH', '/identity/password_reset?sid=a&sid=b')).flash, invalidReset)
  const form = await app.inject({
    method: 'PUT',
    url: '/identity/password_reset',
    headers: {
      ...browser.headers,
      ...browser.csrfHeader(),
      cookie: browser.cookieHeader(),
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'sid=a&sid=b',
  })
  t.equal(form.headers.location, '/identity/password_reset/new')

  const { browser: member } = await signedUp(app)
  t.same((await member.visit('/identity/email_verification?sid=a&sid=b')).flash, {
    alert: 'That email verification link is invalid',
  })
  const twice = 'invitation=a&invitation=b'
  for (const path of ['/sign_in', '/sign_up', '/identity/password_reset/new']) {
    t.notOk((await browser.visit(`${path}?${twice}`)).props.invitation, path)
  }
  const credentials = { email: 'nobody@example.com', password: 'whatever it is' }
  const refused = await browser.submit('POST', `/sign_in?${twice}`, credentials)
  t.same([refused.url, refused.flash], ['/sign_in', { alert: 'That email or password is incorrect' }])
  const joined = await browser.submit('POST', `/sign_up?${twice}`, { ...somebody(), name: '' })
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
  const other = await (await Browser.open(app)).submit('POST', '/sign_up?name=Query', nameless)
  t.equal(other.props.auth.user.name, 'Query')
})

t.test('undecodable URLs are 404', async (t) => {
  const { app, browser } = await sharedPerson(t)
  for (const path of ['/%', '/%E0%A4%A', '/%00', '/sign_in%00', '/sessions/%', '/%ff%fe', `/${'x'.repeat(5000)}`]) {
    t.equal((await browser.send('GET', path)).statusCode, 404, path)
  }
  t.equal(
    (await new Browser(app).send('GET', '/sign_in?invitation=%&sid=%E0%A4%A&a[]=1&a=2&__proto__=x')).statusCode,
    200,
  )
})

t.test('a wrong method on a known path is the 404 page', async (t) => {
  const { app } = await sharedApp(t)
  const browser = await Browser.open(app)
  for (const [method, path] of [
    ['PATCH', '/sign_in'],
    ['DELETE', '/'],
    ['PUT', '/unknown'],
    ['POST', '/settings/sessions'],
    ['GET', '/sessions/1'],
    ['GET', '/users'],
    ['GET', '/assets'],
    ['GET', '/admin/settings'],
    ['POST', '/help/invitations'],
  ] as const) {
    const response = await browser.send(method, path)
    t.equal(response.statusCode, 404, `${method} ${path}`)
    t.equal(response.headers['cache-control'], 'no-cache')
    t.equal(response.body, (await app.inject('/404.html')).body)
  }
  const { browser: member } = await signedUp(app)
  for (const path of ['/users', '/invitations/members']) {
    t.equal((await member.send('GET', path)).statusCode, 404, path)
  }
  const head = await browser.send('HEAD', '/un/known')
  t.equal(head.statusCode, 404)
  t.equal(head.body, '')
})

t.test('Host headers never appear in a response', async (t) => {
  const { app, browser, slug } = await sharedPerson(t)
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const requests = [
    browser.send('GET', '/', { headers: evil }),
    browser.send('GET', `/${slug}`, { headers: evil }),
    browser.send('GET', `/${slug}`, { headers: { ...evil, 'x-inertia': 'true', 'x-inertia-version': 'old' } }),
    browser.send('GET', '/unknown', { headers: evil }),
    new Browser(app).send('GET', '/settings/sessions', { headers: evil }),
  ]
  for (const response of await Promise.all(requests)) {
    t.notMatch(JSON.stringify(response.headers) + response.body, /evil\.example/)
  }
})

t.test('when Postgres ends all connections, requests fail cleanly for a moment and recover', async (t) => {
  const { app, url } = await startApp(t)
  const operator = postgres(url, { max: 1 })
  t.teardown(() => operator.end())
  const { browser, slug } = await signedUp(app)
  const statuses: number[] = []
  let over = false
  const visitors = Array.from({ length: 8 }, async () => {
    while (!over) statuses.push((await browser.send('GET', `/${slug}`)).statusCode)
  })
  while (statuses.length < 40) await new Promise((resolve) => setImmediate(resolve))
  await operator`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  const seen = statuses.length
  while (statuses.length < seen + 40) await new Promise((resolve) => setImmediate(resolve))
  over = true
  await Promise.all(visitors)
  t.same(
    statuses.filter((status) => status !== 200 && status !== 500),
    [],
    'a page or the error page, and nothing else',
  )
  let healthy = 0
  for (let visit = 0; visit < 100 && healthy < 20; visit++) {
    const { statusCode } = await browser.send('GET', `/${slug}`)
    healthy = statusCode === 200 ? healthy + 1 : 0
  }
  t.equal(healthy, 20, 'it is well again')
})
