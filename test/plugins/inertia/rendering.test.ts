import t from 'tap'
import { always, defer, merge, once } from '../../../plugins/inertia/index.ts'
import { lacks, startPage } from './site.ts'

const broken = () => {
  throw new Error('broken')
}
const missing = () => {
  throw Object.assign(new Error('no such team'), { statusCode: 404 })
}

t.test('shared props depend on the request, come before those of the page, and are overridden by them', async (t) => {
  const { visit, app } = await startPage(t, () => ({ own: 1, 'test/viewer': { id: 2, name: 'Bob' } }))
  app.share('test/viewer', () => ({ id: 1, name: 'Ann' }))
  app.share('test/motto', async ({ headers }) => (headers.cookie ? `for ${headers.cookie}` : undefined))
  app.get('/plain', (_request, reply) => reply.page('test/any', {}))

  const { props, sharedProps } = (await visit('/', { cookie: 'ann' })).json()
  t.strictSame(Object.keys(props), ['errors', 'test/viewer', 'test/motto', 'own'])
  t.strictSame(props, { errors: {}, 'test/viewer': { id: 2, name: 'Bob' }, 'test/motto': 'for ann', own: 1 })
  t.strictSame(sharedProps, ['errors', 'test/viewer', 'test/motto'])
  const plain = (await visit('/plain')).json()
  t.strictSame(plain.props, { errors: {}, 'test/viewer': { id: 1, name: 'Ann' } })
  t.strictSame(plain.sharedProps, ['errors', 'test/viewer'], 'what is undefined is not named')
})

t.test('a shared prop that is kept or computed is not among the names that the client carries over', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/motto', () => once(() => 'tea'))
  app.share('test/viewer', () => () => ({ id: 1, name: 'Ann' }))
  const { props, sharedProps } = (await visit('/')).json()
  t.strictSame(props, { errors: {}, 'test/motto': 'tea', 'test/viewer': { id: 1, name: 'Ann' } })
  t.strictSame(sharedProps, ['errors'])
})

t.test('a dotted name is expanded, and its siblings stay', async (t) => {
  const shared = { user: { name: 'Ann' } }
  const { visit } = await startPage(t, () => ({ auth: shared, 'auth.user.role': () => 'owner', 'a.b.c': 1 }))
  const { props } = (await visit('/')).json()
  t.strictSame(props, { errors: {}, auth: { user: { name: 'Ann', role: 'owner' } }, a: { b: { c: 1 } } })
  t.strictSame(shared, { user: { name: 'Ann' } }, 'what was given is not written to')
})

t.test('a key named __proto__ is an ordinary key, even when its parent is copied', async (t) => {
  const given = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
  const { visit } = await startPage(t, () => ({ given: { ...given, lazy: () => 2 } }))
  t.match((await visit('/')).body, '"given":{"__proto__":{"polluted":true},"constructor":1,"lazy":2}')
  t.notHas({}, { polluted: true })
})

t.test('a prop that fails leads to its error page, in both forms, without protocol headers', async (t) => {
  for (const [status, props] of [
    [404, { team: missing }],
    [404, { slow: () => new Promise(setImmediate), team: async () => missing() }],
    [404, { team: always(missing) }],
    [500, { team: broken }],
    [500, { big: 1n }], // which JSON cannot represent
  ] as const) {
    const { visit, load, waiting } = await startPage(t, () => props, { stored: { notice: 'Saved' } })
    for (const response of [await visit('/'), await load('/')]) {
      t.match(response, { statusCode: status, body: `error ${status}` })
      lacks(t, response.headers, ['x-inertia'])
    }
    t.ok(waiting.stored)
  }
})

t.test('a failing shared prop is a 500, even if others fail later', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/motto', async () => {
    await new Promise(setImmediate)
    throw new Error('later')
  })
  app.share('test/viewer', broken)
  t.match(await visit('/'), { statusCode: 500, body: 'error 500' })
})

t.test('a failing deferred prop with rescue is left out, named and logged; without it the request fails', async (t) => {
  const { reload, log } = await startPage(t, () => ({
    a: 1,
    count: defer(
      merge(async () => broken()),
      { rescue: true },
    ),
    sum: defer(broken, { rescue: true }),
    fatal: defer(async () => broken()),
  }))
  const { props, rescuedProps, ...page } = await reload({ 'x-inertia-partial-data': 'a,count,sum' })
  t.strictSame(props, { errors: {}, a: 1 })
  t.strictSame(rescuedProps.toSorted(), ['count', 'sum'])
  lacks(t, page, ['mergeProps'])
  t.strictSame(log.map(({ level, prop }) => `${level} ${prop}`).toSorted(), ['40 count', '40 sum'])
  await t.rejects(reload({ 'x-inertia-partial-data': 'fatal' }), { message: /error 500/ })
})
