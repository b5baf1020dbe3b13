import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { lacks, origin, startSite } from './site.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A site that redirects to the URL in its query. */
const startRedirecting = (t: Parameters<typeof startSite>[0]) =>
  startSite(
    t,
    (app: FastifyInstance) => {
      app.all<{ Querystring: { to: string; status?: string } }>('/go', (request, reply) => {
        const { to, status = '302' } = request.query
        return reply.code(Number(status)).header('location', to).header('set-cookie', 'kept=1').send('body')
      })
      app.get<{ Querystring: { to: string } }>('/out', (request, reply) => reply.external(request.query.to))
    },
    { stored: { notice: 'Saved' } },
  )

const go = (to: string, status = 302) => `/go?status=${status}&to=${encodeURIComponent(to)}`

t.test('a redirect is empty, typed as HTML, and not cached', async (t) => {
  const { load, visit } = await startRedirecting(t)
  for (const response of [await load(go('/a')), await visit(go('/a'))]) {
    t.match(response, { statusCode: 302, body: '' })
    t.match(response.headers, {
      location: '/a',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-length': '0',
      'set-cookie': 'kept=1',
    })
    lacks(t, response.headers, ['x-inertia'])
  }
})

t.test('after a write the redirect is a 303, since a 302 would repeat it', async (t) => {
  const { visit, load } = await startRedirecting(t)
  const status = async (method: Method, from: number, send = visit) =>
    (await send(go('/a', from), {}, method)).statusCode
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
    t.equal(await status(method, 302), 303)
    t.equal(await status(method, 301), 303)
    t.equal(await status(method, 307), 307)
    t.equal(await status(method, 308), 308)
    t.equal(await status(method, 302, load), 302, 'a plain request keeps its own')
  }
  t.equal(await status('POST', 302), 302)
  t.equal(await status('GET', 301), 301)
})

t.test('another origin is left to the browser', async (t) => {
  const { visit, load, waiting } = await startRedirecting(t)
  const outside = [
    'https://evil.example/a',
    `${origin}:8443/a`,
    'http://app.example.com/a',
    '//evil.example/a#b',
    '/\\evil.example',
    '/\t/evil.example',
    `${origin}.evil.example`,
    'mailto:ann@example.com',
  ]
  for (const to of outside) {
    const response = await visit(go(to), {}, 'POST')
    t.match(response, { statusCode: 409, body: '' }, to)
    t.match(response.headers, { 'x-inertia-location': to, 'set-cookie': 'kept=1' })
    lacks(t, response.headers, ['location', 'x-inertia'])
    t.match(await load(go(to)), { statusCode: 302, headers: { location: to } }, 'a plain request follows by itself')
  }
  t.ok(waiting.stored)
})

t.test('a URL of our own stays a redirect, however it is written', async (t) => {
  const { visit } = await startRedirecting(t)
  const inside = [
    '/a?b=//c',
    'a',
    '?page=2',
    '',
    `${origin}/a`,
    `${origin}:443/a`,
    'HTTPS://APP.example.com/a',
    '/a//b',
    'http://[', // no browser can follow it, but it is no failure of ours
  ]
  for (const to of inside) t.match(await visit(go(to)), { statusCode: 302, headers: { location: to } }, to)
})

t.test("the request's host counts as our own too, but only for redirects", async (t) => {
  const { visit } = await startRedirecting(t)
  const there = { host: 'localhost:3000' }
  t.equal((await visit(go('http://localhost:3000/a'), there)).statusCode, 302)
  t.equal((await visit(go('http://localhost:3001/a'), there)).statusCode, 409)
  t.equal((await visit(go('https://localhost:3000/a'), there)).statusCode, 409)
})

t.test('a fragment would get lost, so the client makes a new visit', async (t) => {
  const { visit, load, waiting } = await startRedirecting(t)
  for (const status of [201, 301, 302, 303, 307, 308]) {
    for (const method of ['GET', 'POST', 'PATCH'] as const) {
      const response = await visit(go('/a?b=1#there', status), {}, method)
      t.match(response, { statusCode: 409, body: '' }, `${method} ${status}`)
      t.match(response.headers, { 'x-inertia-redirect': '/a?b=1#there', 'set-cookie': 'kept=1' })
      lacks(t, response.headers, ['location', 'x-inertia', 'x-inertia-location'])
    }
  }
  t.ok(waiting.stored)
  t.match(await load(go('/a#there')), { statusCode: 302, headers: { location: '/a#there' } })
})

t.test('a prefetch follows without the fragment', async (t) => {
  const { visit } = await startRedirecting(t)
  for (const header of ['purpose', 'sec-purpose', 'x-moz']) {
    t.equal((await visit(go('/a#there'), { [header]: 'PREFETCH' })).statusCode, 302)
    t.equal((await visit(go('/a#there'), { [header]: 'prerender' })).statusCode, 409)
  }
})

t.test('an external redirect is followed by the browser itself', async (t) => {
  const { visit, load } = await startRedirecting(t)
  for (const to of ['/files/report.pdf', 'https://pay.example/1']) {
    const response = await visit(`/out?to=${encodeURIComponent(to)}`)
    t.match(response, { statusCode: 409, body: '', headers: { 'x-inertia-location': to } })
    lacks(t, response.headers, ['location', 'x-inertia'])
    t.match(await load(`/out?to=${encodeURIComponent(to)}`), { statusCode: 302, headers: { location: to } })
  }
})
