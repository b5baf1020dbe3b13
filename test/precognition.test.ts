import { sql } from 'drizzle-orm'
import t from 'tap'
import { startApp } from './helpers/app.ts'
import { signedUp } from './helpers/people.ts'

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

t.test('every endpoint that changes something validates or refuses, and changes nothing', async (t) => {
  const oidc = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }
  const { app, db } = await startApp(t, oidc)
  const { browser } = await signedUp(app, { name: 'Acme' })
  const { rows } = await db.execute<{ name: string }>(sql`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`)
  const tables = [...rows.map(({ name }) => name), 'pgboss.job']
  const snapshot = async () =>
    Promise.all(tables.map((table) => db.execute(sql.raw(`select to_jsonb(t) from ${table} t order by 1`))))
  const before = await snapshot()
  const session = browser.cookies.get('session_token')

  const endpoints = endpointsOf(app.printRoutes({ commonPrefix: false }))
  t.ok(endpoints.length >= 9, 'the routes could be read')
  for (const { method, url } of endpoints.filter(({ url }) => !url.startsWith('/api/'))) {
    const response = await browser.precognize(method, url, {})
    // Without a link that works there is no form, so these lead to the page that asks for one.
    const allowed = url === '/identity/password_reset' && method !== 'POST' ? [302] : [204, 400, 422]
    t.ok(allowed.includes(response.statusCode), `${method} ${url}: ${response.statusCode}`)
    if (response.statusCode === 422) t.equal(response.headers.precognition, 'true')
    if (response.statusCode === 400) t.equal(response.body, '{"status":400,"error":"Bad Request"}')
    if (response.statusCode === 204) t.equal(response.headers['content-type'], undefined)
  }
  t.same(await snapshot(), before)
  t.equal(browser.cookies.get('session_token'), session)
})

/** All routes other than GET with their URLs, parsed from the printed tree. */
function endpointsOf(tree: string) {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, allowed] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? []
    if (indent === undefined || part === undefined) return []
    const depth = indent.length / 4
    parents.splice(depth)
    parents.push(part)
    const segments = parents.join('').split('/')
    const url = segments
      .map((segment) => segment.replace(/\(\^.*\$\)$/, ''))
      .join('/')
      .replace(':slug', 'acme')
      .replace(':provider', 'oidc')
      .replace(/:\w+/g, '1')
    return methods.filter((method) => allowed?.split(', ').includes(method)).map((method) => ({ method, url }))
  })
}
