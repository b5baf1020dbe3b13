import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { defer } from '../../../plugins/inertia/index.ts'
import { embedded, lacks, startSite } from './site.ts'

const stored = {
  notice: 'Saved',
  errors: { email: ["can't be blank", 'is invalid'] },
  clearHistory: true,
  preserveFragment: true,
} as const satisfies object

const routes = (app: FastifyInstance) => {
  app.get('/', (_request, reply) => reply.page('test/any', { a: 1, count: defer(() => 2) }))
  app.get('/away', (_request, reply) => reply.redirect('/'))
  app.get('/missing', (_request, reply) =>
    reply.page('test/any', {
      gone: () => {
        throw Object.assign(new Error('gone'), { statusCode: 404 })
      },
    }),
  )
}

const start = (t: Parameters<typeof startSite>[0]) =>
  startSite(t, routes, { stored: { ...stored, errors: { email: [...stored.errors.email] } } })

t.test('the stored flash is on the next page and on no other', async (t) => {
  const { visit, load } = await start(t)
  const page = (await visit('/')).json()
  t.strictSame(page.flash, { notice: 'Saved' })
  t.strictSame(page.props.errors, stored.errors)
  t.equal(page.clearHistory, true)
  t.equal(page.preserveFragment, true)

  const next = (await visit('/')).json()
  t.strictSame(next.props.errors, {})
  t.strictSame(next.flash, {})
  lacks(t, next, ['clearHistory', 'preserveFragment'])
  t.strictSame(embedded((await load('/')).body), next)
})

t.test('responses without a page keep it: redirects, old versions, errors', async (t) => {
  const { visit, load, waiting } = await start(t)
  await visit('/away')
  await visit('/', { 'x-inertia-version': 'old' })
  await visit('/missing')
  await load('/missing')
  await load('/nowhere')
  t.match(waiting.stored, { notice: 'Saved' })
})

for (const header of ['purpose', 'sec-purpose', 'x-moz']) {
  t.test(`a prefetch by ${header} neither shows nor clears it`, async (t) => {
    const { visit, waiting } = await start(t)
    const response = await visit('/', { [header]: 'Prefetch' })
    t.strictSame(response.json().flash, {})
    lacks(t, response.json(), ['clearHistory'])
    t.strictSame(response.json().props.errors, {})
    lacks(t, response.headers, ['set-cookie'])
    t.ok(waiting.stored)
    t.ok((await visit('/')).json().flash.notice, 'the visit shows it')
  })
}

t.test('a prerender neither shows nor clears it; other purposes do', async (t) => {
  const { visit, waiting } = await start(t)
  t.strictSame((await visit('/', { 'sec-purpose': 'prefetch;prerender' })).json().flash, {})
  t.ok(waiting.stored)
  t.ok((await visit('/', { 'sec-purpose': 'prefetching' })).json().flash.notice)
})

t.test('neither a HEAD nor a background reload clears it', async (t) => {
  const { load, reload, waiting } = await start(t).then((site) => ({ ...site }))
  await load('/', {}, 'HEAD')
  const page = await reload({ 'x-inertia-partial-data': 'count', 'cache-control': 'no-cache' })
  t.strictSame(page.flash, {})
  lacks(t, page, ['clearHistory'])
  t.strictSame(page.props.errors, {})
  t.ok(waiting.stored)
})

t.test('a partial visit after a redirect clears it, and always includes the errors', async (t) => {
  const { reload } = await start(t)
  const page = await reload({ 'x-inertia-partial-data': 'a', 'x-inertia-partial-except': 'errors' })
  t.strictSame(page.props, { errors: stored.errors, a: 1 })
  t.strictSame(page.flash, { notice: 'Saved' })
})

t.test('errors are nested under the name of their bag, whatever that is', async (t) => {
  for (const bag of ['createUser', '__proto__', 'constructor']) {
    const { visit } = await start(t)
    const { body } = await visit('/', { 'x-inertia-error-bag': bag })
    t.match(body, `"errors":{"${bag}":{"email":["can't be blank","is invalid"]}}`)
    t.strictSame(
      (await visit('/', { 'x-inertia-error-bag': bag })).json().props.errors,
      {},
      'without errors there is no bag',
    )
  }
})
