import t from 'tap'
import { sharedApp, startApp } from './helpers/app.ts'
import { Browser } from './helpers/browser.ts'
import { sharedPerson } from './helpers/people.ts'

const pageCache = 'max-age=0, private, must-revalidate'

t.test('the first visit of a page is HTML', async (t) => {
  const { app } = await sharedApp(t)
  const { html, response } = await new Browser(app).document('/sign_in')
  const { etag, 'content-type': type, 'cache-control': cache, 'x-inertia': protocol, ...headers } = response.headers
  t.same([type, cache, etag, protocol], ['text/html; charset=utf-8', pageCache, undefined, undefined])
  t.match(headers.vary, /X-Inertia/)

  t.match(html, /^<!doctype html>/)
  t.same(html.match(/<title[^>]*>[^<]*<\/title>/g), ['<title>Acme Accounts</title>'])
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  t.ok(nonce && nonce.length >= 22)
  const nonces = Array.from(html.matchAll(/ nonce="([^"]+)"/g), ([, each]) => each)
  t.same(nonces, [nonce], 'the inline script has it')
  t.notMatch(html, /csrf|crossorigin/i)
  t.match(headers.link, /^<\/assets\/[^>]+\.woff2>; rel=preload; as=font;/)
  t.match(html, /rel="modulepreload".*<script type="module".*rel="stylesheet"/s)
  t.notMatch(html, /(<script type="module".*rel="modulepreload"|rel="stylesheet".*<script type="module")/s)
  for (const name of ['viewport', 'application-name', 'mobile-web-app-capable']) t.match(html, `<meta name="${name}"`)
})

t.test('later visits of a page are JSON', async (t) => {
  const { app } = await sharedApp(t)
  const { headers, ...response } = await new Browser(app).request('GET', '/sign_in?a=b')
  const { etag, 'content-type': type, 'cache-control': cache, 'x-inertia': protocol } = headers
  t.same([type, cache, etag, protocol], ['application/json; charset=utf-8', pageCache, undefined, 'true'])
  t.match(headers.vary, /X-Inertia/)
  const page = response.json()
  t.same(Object.keys(page), ['component', 'props', 'url', 'version', 'sharedProps', 'flash'])
  t.match(page.props, { errors: {}, auth: { user: null, session: null } })
  t.same([page.flash, page.url, page.sharedProps], [{}, '/sign_in?a=b', ['errors', 'auth']])
})

t.test('in production the history is encrypted', async (t) => {
  const { app } = await startApp(t, { NODE_ENV: 'production' })
  const browser = new Browser(app)
  t.equal((await browser.document('/sign_in')).page.encryptHistory, true)
  t.equal((await browser.visit('/sign_in')).encryptHistory, true)
})

t.test('every response to a GET varies by X-Inertia', async (t) => {
  const { browser } = await sharedPerson(t)
  const statuses = []
  for (const [url, headers] of [
    ['/settings', {}],
    ['/nobody/settings', {}],
    ['/no/page/of/ours', {}],
    ['/sign_in', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/60.0.0.0 Safari/537.36' }],
    ['/settings/profile', { precognition: 'true' }],
    ['/settings/profile', { 'x-inertia-version': 'old' }],
  ] as [string, Record<string, string>][]) {
    const response = await browser.request('GET', url, { headers })
    statuses.push(response.statusCode)
    t.match(response.headers.vary, /X-Inertia/, url)
    if (response.statusCode === 409)
      t.equal(response.headers['cache-control'], 'no-store', 'or Back shows it as a page')
  }
  t.same(statuses, [302, 404, 404, 406, 400, 409])
})

t.test('pages behind a token are in no search engine', async (t) => {
  const { app } = await sharedApp(t)
  const robots = (await app.inject('/robots.txt')).body
  const links = ['email_change', 'email_verification', 'not_mine', 'password_reset/edit'].map(
    (path) => `/identity/${path}`,
  )
  for (const path of ['/invitations/', ...links]) {
    const url = path.endsWith('/') ? `${path}a` : path
    t.equal((await app.inject(url)).headers['x-robots-tag'], 'noindex', url)
    t.match(robots, `Disallow: ${path}\n`)
  }
  t.equal((await app.inject('/sign_in')).headers['x-robots-tag'], undefined)
})

t.test('every page contains the signed-in user, even a partial reload that wants none', async (t) => {
  const { browser, slug, user } = await sharedPerson(t)
  const part = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-except': 'auth' }
  const { auth } = (await browser.visit(`/${slug}`, part)).props
  t.equal(auth.user.id, user.id)
  t.ok(auth.session)
})

t.test('Server-Timing is on every GET, and on no write', async (t) => {
  const { browser, slug } = await sharedPerson(t)
  const timing = async (method: 'GET' | 'HEAD' | 'POST' | 'PATCH', url: string) => {
    const { headers } = await browser.request(method, url, ['GET', 'HEAD'].includes(method) ? {} : { body: {} })
    return headers['server-timing']
  }
  const pages = [`/${slug}`, '/sign_in', '/settings/profile', '/dashboard', '/up', '/robots.txt']
  for (const url of [...pages, '/nothing/here', '/%', `/${'x'.repeat(5000)}`])
    t.match(await timing('GET', url), /^app;dur=[\d.]+, db;desc="\d+ queries";dur=[\d.]+$/, url)
  t.ok(await timing('HEAD', `/${slug}`))
  t.equal(await timing('POST', '/accounts'), undefined)
  t.equal(await timing('PATCH', '/settings/profile'), undefined)

  const queries = async (headers = {}) => {
    const response = await browser.request('GET', `/${slug}`, { headers })
    return Number(/"(\d+) queries"/.exec(String(response.headers['server-timing']))?.[1])
  }
  const whole = await queries()
  t.equal(await queries(), whole, 'the number of queries is stable')
  const only = await queries({ 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': 'account' })
  t.ok(only > 0 && only < whole, `${only} of ${whole} for a part`)
})
