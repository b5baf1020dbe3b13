import t from 'tap'
import { collectingRoutes, fill } from '../../fuzz/routes.ts'
import { sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { sharedPerson } from '../../helpers/people.ts'

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
    const isRefused = response.headers.location === '/sign_in' || response.statusCode === 401
    if (!isRefused) open.push(`${method} ${url}: ${response.statusCode}`)
  }
  t.same(open, [])
})

t.test('JSON of more than 10,000 values is refused before it is parsed, while texts hold any characters', async (t) => {
  const { browser } = await sharedPerson(t)
  const headers = { ...browser.csrfHeader(), accept: 'text/html' }
  const statusOf = async (x: unknown) =>
    (await browser.send('PATCH', '/settings/profile', { body: { name: 'Ana', x }, headers })).statusCode
  t.equal(await statusOf(Array(10_001).fill(0)), 400)
  t.equal(await statusOf(Array(5_001).fill([])), 400)
  t.equal(await statusOf(Array(9_000).fill(0)), 302)
  for (const end of ['', '"', '\\', '\\"']) t.equal(await statusOf(',[{'.repeat(20_000) + end), 302, end)
})
