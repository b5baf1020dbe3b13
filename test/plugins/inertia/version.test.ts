import { once } from 'node:events'
import { get } from 'node:http'
import t from 'tap'
import { counted, lacks, origin, startSite } from './site.ts'

t.test('a client with outdated assets has to reload before anything happens', async (t) => {
  const handled = counted(1)
  const { visit, waiting } = await startSite(
    t,
    (app) =>
      app.get('/team', (_request, reply) => {
        handled()
        return reply.page('test/any', {})
      }),
    { stored: { notice: 'Saved' } },
  )
  const response = await visit('/team?a=1', { 'x-inertia-version': 'old', host: 'evil.example' })
  t.match(response, { statusCode: 409, body: '' })
  t.match(response.headers, { 'x-inertia-version': 'v1', 'x-inertia-location': `${origin}/team?a=1` })
  lacks(t, response.headers, ['x-inertia', 'set-cookie'])
  t.equal(handled.calls, 0)
  t.ok(waiting.stored)
})

t.test('a client without a version is never outdated', async (t) => {
  const { load } = await startSite(t, (app) => app.get('/', (_request, reply) => reply.page('test/any', {})))
  const { statusCode, headers, body } = await load('/', { 'x-inertia': 'true' })
  t.equal(statusCode, 200)
  t.equal(headers['x-inertia'], 'true')
  t.equal(JSON.parse(body).version, 'v1', 'and learns the one there is')
  t.equal((await load('/', { 'x-inertia': 'true', 'x-inertia-version': '' })).statusCode, 200)
})

t.test('a site without a version never requires one', async (t) => {
  const { load, visit } = await startSite(t, (app) => app.get('/', (_request, reply) => reply.page('test/any', {})), {
    version: '',
  })
  t.equal((await load('/', { 'x-inertia': 'true' })).statusCode, 200)
  t.equal((await visit('/')).statusCode, 409)
})

t.test('writes and documents work with any version', async (t) => {
  const { visit, load } = await startSite(t, (app) => {
    app.get('/', (_request, reply) => reply.page('test/any', {}))
    app.post('/', (_request, reply) => reply.redirect('/'))
  })
  t.equal((await visit('/', { 'x-inertia-version': 'old' }, 'POST')).statusCode, 302)
  t.equal((await load('/', { 'x-inertia-version': 'old' })).statusCode, 200)
})

t.test('a request line with another host does not redirect there', async (t) => {
  const { app } = await startSite(t, (app) => app.get('/', (_request, reply) => reply.page('test/any', {})))
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const old = { 'x-inertia': 'true', 'x-inertia-version': 'old' }
  const asked = get({ port: url.port, path: 'http://evil.example/', headers: old, agent: false })
  const [response] = await once(asked, 'response')
  response.resume()
  t.match(response, { statusCode: 409, headers: { 'x-inertia-location': `${origin}/` } })
})
