import { sql } from 'drizzle-orm'
import t from 'tap'
import { apiPrefix } from '../features/paths.ts'
import { collectingRoutes, fill } from './fuzz/routes.ts'
import { startApp } from './helpers/app.ts'
import { Browser } from './helpers/browser.ts'
import { environment, insertAll, parameters } from './helpers/everything.ts'
import { challenge, signedUp } from './helpers/people.ts'
import { snapshot } from './helpers/records.ts'

const values = { slug: 'acme', id: '1', deliveryId: '1', token: '1', ...parameters }

t.test('every endpoint that changes something validates or refuses precognition, and changes nothing', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app, db } = await startApp(t, environment, { frontend })
  const { browser } = await signedUp(app, { name: 'Acme' })
  await insertAll(db)
  const { rows } = await db.execute<{ name: string }>(sql`
  select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`)
  const tables = [...rows.map(({ name }) => name), 'pgboss.job']
  const before = await snapshot(db, ...tables)
  const counted = () => snapshot(db, 'rate_limits')
  t.ok(routes.length > 40, 'the routes could be read')
  const session = browser.cookies.get('session_token')

  for (const { method, url: pattern, isHidden, isForEveryone } of routes) {
    if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) || isHidden || pattern.startsWith(apiPrefix)) continue
    const url = fill(pattern, values)
    const hits = await counted()
    const { statusCode, headers, body } = await browser.precognize(method as 'POST', url, challenge)
    // Without a link that works there is no form, so these lead to the page that asks for one.
    const answers = url === '/identity/password_reset' && method !== 'POST' ? [302] : [204, 400, 422]
    // What the address names is looked up first, and there is no item with this id. A receiver wants its signature.
    const isItem = /:(id|\w+Id)\b/.test(pattern)
    const allowed = [...answers, ...(isItem ? [404] : []), ...(isForEveryone ? [401] : [])]
    t.ok(allowed.includes(statusCode), `${method} ${url}: ${statusCode}`)
    if (statusCode === 422) t.equal(headers.precognition, 'true')
    if (statusCode === 204) t.equal(headers['content-type'], undefined)
    if (statusCode !== 400) continue
    t.equal(body, '{"status":400,"error":"Bad Request"}')
    t.same(await counted(), hits, `${method} ${url} does not count`)
  }
  t.same(await snapshot(db, ...tables), before)
  t.equal(browser.cookies.get('session_token'), session)
})

const forGuests = /^\/($|up|\.well-known|sign_|identity|language|invitations\/:token)/

t.test('guests are led to sign in by all that is not for them, and what they may change is limited', async (t) => {
  const { routes, frontend } = collectingRoutes()
  const { app } = await startApp(t, {}, { frontend })
  const browser = await Browser.open(app)
  const open: string[] = []
  t.ok(routes.length > 40, 'the routes could be read')
  for (const { method, url, isLimited, isForEveryone, isHidden } of routes) {
    const reads = ['GET', 'HEAD', 'OPTIONS'].includes(method)
    if ((isForEveryone || forGuests.test(url)) && (reads || isLimited)) continue
    const sent = reads ? {} : { body: {}, headers: browser.csrfHeader() }
    const { statusCode, headers } = await browser.send(method as 'POST', fill(url, values), sent)
    const isRefused = headers.location === '/sign_in' || statusCode === (isHidden ? 404 : 401)
    if (!isRefused) open.push(`${method} ${url}: ${statusCode}`)
  }
  t.same(open, [])
})
