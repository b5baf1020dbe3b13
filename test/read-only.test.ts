import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { apiTokens } from '../drizzle/tables/api.ts'
import { collectingRoutes, fill } from './fuzz/routes.ts'
import { call, createToken } from './helpers/api.ts'
import { collectLines, startApp } from './helpers/app.ts'
import type { Browser } from './helpers/browser.ts'
import { openGuest, password, sharedPerson, startAcme, verify } from './helpers/people.ts'
import { operatorOf } from './helpers/postgres.ts'

const values: Record<string, string> = {
  slug: 'acme',
  id: '1',
  email: 'somebody@example.com',
  name: 'Grace',
  role: 'member',
  days: '30',
  scope: 'read',
  code: '123456',
  password,
  password_confirmation: password,
  password_challenge: password,
}

/** Makes the database one that only reads, for connections from now on, and ends all others. */
async function makeReadOnly(t: Test, url: string) {
  const operator = operatorOf(t, url)
  await operator.unsafe(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = on`)
  await operator`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
}

/** The application with Acme and a token of its owner, on a database that only reads. */
async function readOnlyAcme(t: Test) {
  const { routes, frontend } = collectingRoutes()
  const { lines, logTo } = collectLines()
  const { app, db, url } = await startApp(t, {}, { frontend, logTo })
  const { owner } = await startAcme(app)
  await verify(db, owner.user.id)
  const token = await createToken(owner.browser)
  await db.update(apiTokens).set({ lastUsedAt: null })
  const guest = await openGuest(app)
  await makeReadOnly(t, url)
  await Promise.all(Array.from({ length: 12 }, () => db.execute('select pg_sleep(0.05)').catch(() => {})))
  return { app, routes, lines, browser: owner.browser, guest, token }
}

async function send(app: FastifyInstance, browser: Browser, method: string, url: string) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...browser.headers, cookie: browser.cookieHeader(), ...browser.csrfHeader() },
    ...(method === 'GET' || method === 'HEAD' ? {} : { payload: values }),
    payloadAsStream: true, // event streams never end
  })
  response.stream().destroy()
  return response
}

t.test('no request is a 500 while the database only reads, and what had to write says when to come back', async (t) => {
  const { app, routes, browser, guest } = await readOnlyAcme(t)
  const seen = { pages: 0, writes: 0 }
  for (const { method, url } of routes) {
    for (const [who, sender] of Object.entries({ owner: browser, guest })) {
      const { statusCode, headers } = await send(app, sender, method, fill(url, values))
      t.ok(statusCode < 500 || statusCode === 503, `${who}: ${method} ${url} ${statusCode}`)
      if (statusCode === 503 && url !== '/up/ready') t.match(headers['retry-after'], /^\d+$/, url)
      if (method === 'GET' && statusCode === 200) seen.pages++
      if (method !== 'GET' && statusCode === 503) seen.writes++
    }
  }
  t.ok(seen.pages > 15 && seen.writes > 40, `${seen.pages} pages and ${seen.writes} writes`)
  for (const page of ['/acme', '/acme/members', '/acme/settings', '/settings/security', '/settings/sessions'])
    t.equal((await browser.visit(page)).url, page)
})

t.test('programs go on reading, and write later', async (t) => {
  const { app, token } = await readOnlyAcme(t)
  for (const path of ['/me', '/accounts', '/accounts/acme', '/accounts/acme/members'])
    t.equal((await call(app, token, 'GET', path)).statusCode, 200, path)
  const { statusCode, headers, body } = await call(app, token, 'PATCH', '/accounts/acme', { name: 'Umbrella' })
  t.match([statusCode, headers['retry-after'], body], [503, '5', '{"status":503,"error":"Service Unavailable"}'])
  t.equal((await call(app, 'wrong', 'GET', '/me')).statusCode, 401)
  t.equal((await call(app, `acct_${'x'.repeat(36)}`, 'GET', '/me')).statusCode, 401)
})

t.test('reading does not wait for whoever has the row of its token', async (t) => {
  const { app, db, browser, user } = await sharedPerson(t)
  await verify(db, user.id)
  const token = await createToken(browser)
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from api_tokens for update`)
    t.equal((await call(app, token, 'GET', '/me')).statusCode, 200)
  })
})
