import t, { type Test } from 'tap'
import { counted, type Headers, lacks, type Method, origin, startSite } from './site.ts'

/** A site that redirects to wherever it is told, by `go` as a response and by `out` through the browser. */
async function startRedirecting(t: Test) {
  const handled = counted(1)
  const site = await startSite(
    t,
    (app) => {
      app.all<{ Querystring: { to: string; status: string } }>('/go', ({ query: { to, status } }, reply) => {
        handled()
        return reply.code(Number(status)).header('location', to).header('set-cookie', 'kept=1').send('body')
      })
      app.get<{ Querystring: { to: string } }>('/out', (request, reply) => reply.external(request.query.to))
      app.get('/', (_request, reply) => reply.page('test/any', {}))
    },
    { stored: { notice: 'Saved' } },
  )
  /** The status and the header that says where to go. Every answer is empty and keeps its cookies. */
  const answered = async (
    to: string,
    status = 302,
    method: Method = 'GET',
    headers: Headers = {},
    send = site.visit,
  ) => {
    const response = await send(`/go?status=${status}&to=${encodeURIComponent(to)}`, headers, method)
    t.strictSame([response.body, response.headers['set-cookie']], ['', 'kept=1'], to)
    lacks(t, response.headers, ['x-inertia'])
    const ways = ['location', 'x-inertia-location', 'x-inertia-redirect'].filter((name) => name in response.headers)
    return `${response.statusCode} ${ways.map((name) => `${name}: ${response.headers[name]}`)}`
  }
  const plainly = (to: string, status?: number, method?: Method) => answered(to, status, method, {}, site.load)
  return { ...site, handled, answered, plainly }
}

t.test('a redirect is empty, typed as HTML, and not cached', async (t) => {
  const { load, visit } = await startRedirecting(t)
  for (const send of [load, visit]) {
    const { headers } = await send('/go?status=302&to=/a')
    const { location, 'content-type': type, 'cache-control': cache, 'content-length': length } = headers
    t.strictSame([location, type, cache, length], ['/a', 'text/html; charset=utf-8', 'no-cache', '0'])
  }
})

t.test('after a write the redirect is a 303, since a 302 would repeat it', async (t) => {
  const { answered, plainly } = await startRedirecting(t)
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    for (const from of [301, 302]) t.equal(await answered('/a', from, method), '303 location: /a')
    for (const from of [307, 308]) t.equal(await answered('/a', from, method), `${from} location: /a`)
    t.equal(await plainly('/a', 302, method), '302 location: /a', 'a plain request keeps its own')
  }
  t.equal(await answered('/a', 302, 'POST'), '302 location: /a')
  t.equal(await answered('/a', 301, 'GET'), '301 location: /a')
})

t.test('another origin is left to the browser', async (t) => {
  const { answered, plainly, waiting } = await startRedirecting(t)
  for (const to of [
    ...['https://evil.example/a', '//evil.example/a#b', '/\\evil.example', '/\t/evil.example', 'mailto:a@example.com'],
    ...[`${origin}:8443/a`, 'http://app.example.com/a', `${origin}.evil.example`],
  ]) {
    t.equal(await answered(to, 302, 'POST'), `409 x-inertia-location: ${to}`)
    t.equal(await plainly(to), `302 location: ${to}`, 'a plain request follows by itself')
  }
  t.ok(waiting.stored)
})

t.test('a URL of our own stays a redirect, however it is written', async (t) => {
  const { answered } = await startRedirecting(t)
  const absolute = [`${origin}/a`, `${origin}:443/a`, 'HTTPS://APP.example.com/a']
  // No browser can follow the last one, but it is no failure of ours.
  for (const to of ['/a?b=//c', 'a', '?page=2', '', '/a//b', ...absolute, 'http://['])
    t.equal(await answered(to), `302 location: ${to}`)
})

t.test("the request's host counts as our own too, but only for redirects", async (t) => {
  const { answered } = await startRedirecting(t)
  const there = (to: string) => answered(to, 302, 'GET', { host: 'localhost:3000' })
  t.equal(await there('http://localhost:3000/a'), '302 location: http://localhost:3000/a')
  for (const to of ['http://localhost:3001/a', 'https://localhost:3000/a'])
    t.equal(await there(to), `409 x-inertia-location: ${to}`)
})

t.test('a fragment would get lost, so the client makes a new visit', async (t) => {
  const { answered, plainly, waiting } = await startRedirecting(t)
  const there = '/a?b=1#there'
  for (const status of [201, 301, 302, 303, 307, 308]) {
    for (const method of ['GET', 'POST', 'PATCH'] as const)
      t.equal(await answered(there, status, method), `409 x-inertia-redirect: ${there}`, `${method} ${status}`)
  }
  t.ok(waiting.stored)
  t.equal(await plainly(there), `302 location: ${there}`)
  for (const header of ['purpose', 'sec-purpose', 'x-moz']) {
    const withPurpose = (purpose: string) => answered(there, 302, 'GET', { [header]: purpose })
    t.equal(await withPurpose('PREFETCH'), `302 location: ${there}`, 'a prefetch follows without the fragment')
    t.equal(await withPurpose('prerender'), `409 x-inertia-redirect: ${there}`)
  }
})

t.test('an external redirect is followed by the browser itself', async (t) => {
  const { visit, load } = await startRedirecting(t)
  for (const to of ['/files/report.pdf', 'https://pay.example/1']) {
    const { statusCode, body, headers } = await visit(`/out?to=${encodeURIComponent(to)}`)
    t.strictSame([statusCode, body, headers['x-inertia-location']], [409, '', to])
    lacks(t, headers, ['location', 'x-inertia'])
    t.match(await load(`/out?to=${encodeURIComponent(to)}`), { statusCode: 302, headers: { location: to } })
  }
})

t.test('a client with outdated assets has to reload before anything happens, but not after a write', async (t) => {
  const { visit, load, handled, waiting } = await startRedirecting(t)
  const old = { 'x-inertia-version': 'old', host: 'evil.example' }
  const { statusCode, body, headers } = await visit('/go?status=302&to=/', old)
  t.strictSame([statusCode, body, headers['x-inertia-version']], [409, '', 'v1'])
  t.equal(headers['x-inertia-location'], `${origin}/go?status=302&to=/`)
  lacks(t, headers, ['x-inertia', 'set-cookie'])
  t.equal(handled.calls, 0)
  t.ok(waiting.stored)
  t.equal((await visit('/go?status=302&to=/', old, 'POST')).statusCode, 302)
  t.equal((await load('/', old)).statusCode, 200)
  t.equal((await visit('/', { 'x-inertia-version': '' })).statusCode, 200, 'which names no version')
})
