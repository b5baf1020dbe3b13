import t from 'tap'
import { collectingRoutes, fill } from '../../fuzz/routes.ts'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'
import { sharedPerson } from '../../helpers/people.ts'

t.test('everything that a guest may change has a rate limit', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app } = await startApp(t, {}, { frontend })
  const browser = await Browser.open(app)
  const open: string[] = []
  for (const { method, url, isLimited } of routes) {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method) || isLimited) continue
    const values = { slug: 'acme', id: '1', token: 'x' }
    const headers = browser.csrfHeader()
    const response = await browser.send(method as 'POST', fill(url, values), { body: {}, headers })
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
