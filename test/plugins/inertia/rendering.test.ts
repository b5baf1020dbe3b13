import t from 'tap'
import { always, appendVary, optional } from '../../../plugins/inertia/index.ts'
import { embedded, lacks, startPage, startSite } from './site.ts'

t.test('a visit receives the page object as JSON', async (t) => {
  const { visit } = await startPage(t, () => ({ greeting: 'hi' }))
  const response = await visit('/?b=1&a=%20x')

  t.equal(response.statusCode, 200)
  t.strictSame(response.json(), {
    component: 'test/any',
    props: { errors: {}, greeting: 'hi' },
    url: '/?b=1&a=%20x',
    version: 'v1',
    sharedProps: ['errors'],
    flash: {},
  })
  t.match(response.headers, {
    'x-inertia': 'true',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'max-age=0, private, must-revalidate',
    vary: 'X-Inertia',
  })
  lacks(t, response.headers, ['etag'])
})

t.test('a browser receives the same page object in a document', async (t) => {
  const { load, visit } = await startPage(t, () => ({ greeting: 'hi' }))
  const response = await load('/?a=1')

  t.strictSame(embedded(response.body), (await visit('/?a=1')).json())
  t.match(response.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'max-age=0, private, must-revalidate',
    vary: 'X-Inertia',
  })
  lacks(t, response.headers, ['x-inertia', 'etag'])
})

t.test('the URL is echoed exactly as the browser sent it, with its trailing slash', async (t) => {
  const { visit } = await startSite(t, (app) => app.get('/team', (_request, reply) => reply.page('test/any', {})))
  t.equal((await visit('/team/?q=%C3%A9')).json().url, '/team/?q=%C3%A9')
})

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

t.test('the history is encrypted if configured', async (t) => {
  const { visit, load } = await startPage(t, () => ({}), { encryptHistory: true })
  t.equal((await visit('/')).json().encryptHistory, true)
  t.equal(embedded((await load('/')).body).encryptHistory, true)
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

t.test('a shared prop that is always sent is named, one that is sent on request is not', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/viewer', () => always({ id: 1, name: 'Ann' }))
  app.share('test/motto', () => optional(() => 'tea'))
  t.strictSame((await visit('/')).json().sharedProps, ['errors', 'test/viewer'])
})

t.test('a name can be shared only once', async (t) => {
  const { app } = await startPage(t, () => ({}))
  app.share('test/motto', () => 'tea')
  t.throws(() => app.share('test/motto', () => 'coffee'), { message: 'The prop "test/motto" is shared already' })
})

t.test('a dotted name is expanded, and its siblings stay', async (t) => {
  const shared = { user: { name: 'Ann' } }
  const { visit } = await startPage(t, () => ({ auth: shared, 'auth.user.role': () => 'owner', 'a.b.c': 1 }))

  const { props } = (await visit('/')).json()
  t.strictSame(props, { errors: {}, auth: { user: { name: 'Ann', role: 'owner' } }, a: { b: { c: 1 } } })
  t.strictSame(shared, { user: { name: 'Ann' } }, 'what was given is not written to')
})

t.test('a response keeps its status', async (t) => {
  const { visit } = await startSite(t, (app) => app.get('/', (_request, reply) => reply.code(422).page('test/any', {})))
  t.equal((await visit('/')).statusCode, 422)
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

t.test('any other failing prop is a 500, even if others fail later', async (t) => {
  const later = async () => {
    await new Promise(setImmediate)
    throw new Error('later')
  }
  const broken = () => {
    throw new Error('broken')
  }
  const { visit, load } = await startPage(t, () => ({ later, broken }))
  t.match(await visit('/'), { statusCode: 500, body: 'error 500' })
  t.match(await load('/'), { statusCode: 500, body: 'error 500' })
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
