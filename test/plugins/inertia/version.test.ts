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

t.test('writes and documents work with any version', async (t) => {
  const { visit, load } = await startSite(t, (app) => {
    app.get('/', (_request, reply) => reply.page('test/any', {}))
    app.post('/', (_request, reply) => reply.redirect('/'))
  })
  t.equal((await visit('/', { 'x-inertia-version': 'old' }, 'POST')).statusCode, 302)
  t.equal((await load('/', { 'x-inertia-version': 'old' })).statusCode, 200)
})
