import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { defer } from '../../../plugins/inertia/index.ts'
import { embedded, lacks, startSite } from './site.ts'

const errors = { email: ["can't be blank", 'is invalid'] }

const routes = (app: FastifyInstance) => {
  app.get('/', (_request, reply) => reply.page('test/any', { a: 1, count: defer(() => 2) }))
  app.get('/away', (_request, reply) => reply.redirect('/'))
}

const start = (t: Parameters<typeof startSite>[0]) =>
  startSite(t, routes, { stored: { notice: 'Saved', errors, clearHistory: true, preserveFragment: true } })

t.test('the stored flash is on the next page and on no other', async (t) => {
  const { visit, load } = await start(t)
  const shown = (await visit('/')).json()
  t.strictSame(shown.flash, { notice: 'Saved' })
  t.strictSame(shown.props.errors, errors)
  t.strictSame([shown.clearHistory, shown.preserveFragment], [true, true])

  const next = (await visit('/')).json()
  t.strictSame([next.flash, next.props.errors], [{}, {}])
  lacks(t, next, ['clearHistory', 'preserveFragment'])
  t.strictSame(embedded((await load('/')).body), next)
})

t.test('responses without a page keep it: redirects, old versions, errors', async (t) => {
  const { visit, load, waiting } = await start(t)
  await visit('/away')
  await visit('/', { 'x-inertia-version': 'old' })
  await load('/nowhere')
  t.match(waiting.stored, { notice: 'Saved' })
})

const partial = { 'x-inertia-partial-component': 'test/any', 'x-inertia-partial-data': 'count' }

for (const [title, headers, method] of [
  ...['purpose', 'sec-purpose', 'x-moz'].map((name) => [`a prefetch by ${name}`, { [name]: 'Prefetch' }] as const),
  ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
  ['a reload in the background', { ...partial, 'cache-control': 'no-cache' }],
  ['a HEAD', {}, 'HEAD'],
] as [string, Record<string, string>, 'HEAD'?][]) {
  t.test(`${title} neither shows nor clears it`, async (t) => {
    const { visit, waiting } = await start(t)
    const response = await visit('/', headers, method)
    lacks(t, response.headers, ['set-cookie'])
    if (method === undefined) {
      const page = response.json()
      t.strictSame([page.flash, page.props.errors, page.clearHistory], [{}, {}, undefined])
    }
    t.ok(waiting.stored)
    t.ok((await visit('/', { 'sec-purpose': 'prefetching' })).json().flash.notice, 'a visit for another purpose does')
  })
}

t.test('a partial visit after a redirect clears it, and always includes the errors', async (t) => {
  const { reload, waiting } = await start(t)
  const page = await reload({ 'x-inertia-partial-data': 'a', 'x-inertia-partial-except': 'errors' })
  t.strictSame([page.props, page.flash], [{ errors, a: 1 }, { notice: 'Saved' }])
  t.notOk(waiting.stored)
})

t.test('errors are nested under the name of their bag, whatever that is', async (t) => {
  for (const bag of ['createUser', '__proto__', 'constructor']) {
    const { visit } = await start(t)
    const headers = { 'x-inertia-error-bag': bag }
    t.match((await visit('/', headers)).body, `"errors":{"${bag}":{"email":["can't be blank","is invalid"]}}`)
    t.strictSame((await visit('/', headers)).json().props.errors, {}, 'without errors there is no bag')
  }
})
