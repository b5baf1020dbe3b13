import t from 'tap'
import { always } from '../../../plugins/inertia/index.ts'
import { appendVary } from '../../../plugins/inertia/redirects.ts'
import { lacks, startPage } from './site.ts'

t.test('Vary keeps existing fields, and names each once', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.addHook('preHandler', async (request, reply) => {
    if (request.headers['x-vary']) reply.header('vary', request.headers['x-vary'])
  })
  app.get('/twice', (_request, reply) => appendVary(reply, 'x-inertia').page('test/any', {}))
  const vary = async (url: string, there: string) => (await visit(url, { 'x-vary': there })).headers.vary

  t.equal(await vary('/', 'Accept-Encoding, Precognition'), 'Accept-Encoding, Precognition, X-Inertia')
  t.equal(await vary('/twice', 'Accept-Encoding'), 'Accept-Encoding, x-inertia')
  t.equal(await vary('/', '*'), '*')
})

t.test('page props override shared ones and come after them', async (t) => {
  const { visit, app } = await startPage(t, () => ({ own: 1, 'test/viewer': { id: 2, name: 'Bob' } }))
  app.share('test/viewer', () => ({ id: 1, name: 'Ann' }))
  app.share('test/motto', async () => 'tea')
  app.get('/plain', (_request, reply) => reply.page('test/any', {}))

  const { props, sharedProps } = (await visit('/')).json()
  t.strictSame(Object.keys(props), ['errors', 'test/viewer', 'test/motto', 'own'])
  t.strictSame(props['test/viewer'], { id: 2, name: 'Bob' })
  t.strictSame(sharedProps, ['errors', 'test/viewer', 'test/motto'])
  t.strictSame((await visit('/plain')).json().props['test/viewer'], { id: 1, name: 'Ann' })
})

t.test('a shared prop depends on the request, and is not named if undefined', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/motto', (request) => (request.headers.cookie ? `for ${request.headers.cookie}` : undefined))

  t.strictSame((await visit('/')).json().sharedProps, ['errors'])
  const page = (await visit('/', { cookie: 'ann' })).json()
  t.strictSame(page.sharedProps, ['errors', 'test/motto'])
  t.equal(page.props['test/motto'], 'for ann')
})

t.test('a dotted name is expanded, and its siblings stay', async (t) => {
  const shared = { user: { name: 'Ann' } }
  const { visit } = await startPage(t, () => ({ auth: shared, 'auth.user.role': () => 'owner', 'a.b.c': 1 }))

  const { props } = (await visit('/')).json()
  t.strictSame(props, { errors: {}, auth: { user: { name: 'Ann', role: 'owner' } }, a: { b: { c: 1 } } })
  t.strictSame(shared, { user: { name: 'Ann' } }, 'what was given is not written to')
})

t.test('a lazy prop that throws NotFound leads to its error page, in both forms', async (t) => {
  const missing = () => {
    throw Object.assign(new Error('no such team'), { statusCode: 404 })
  }
  for (const team of [missing, async () => missing(), always(missing)]) {
    const { visit, load } = await startPage(t, () => ({ slow: () => new Promise(setImmediate), team }))
    for (const response of [await visit('/'), await load('/')]) {
      t.match(response, { statusCode: 404, body: 'error 404' })
      lacks(t, response.headers, ['x-inertia'])
    }
  }
})

t.test('a value that JSON cannot represent is a 500 without protocol headers', async (t) => {
  const { visit, load, waiting } = await startPage(t, () => ({ big: 1n }), { stored: { notice: 'Saved' } })
  for (const response of [await visit('/'), await load('/')]) {
    t.match(response, { statusCode: 500, body: 'error 500' })
    lacks(t, response.headers, ['x-inertia'])
  }
  t.ok(waiting.stored)
})

t.test('a failing shared prop is a 500, even if others fail later', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/motto', async () => {
    await new Promise(setImmediate)
    throw new Error('later')
  })
  app.share('test/viewer', () => {
    throw new Error('broken')
  })
  t.match(await visit('/'), { statusCode: 500, body: 'error 500' })
})
