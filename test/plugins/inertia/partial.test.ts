import fc from 'fast-check'
import t from 'tap'
import { defer, merge, once, optional } from '../../../plugins/inertia/index.ts'
import { resolve } from '../../../plugins/inertia/resolve.ts'
import { readVisit } from '../../../plugins/inertia/visit.ts'
import { counted, lacks, startPage } from './site.ts'

const auth = { user: { id: 1, name: 'Ann' }, session: { id: 's' } }

t.test('only requested props are sent and computed', async (t) => {
  const other = counted(1)
  const { reload } = await startPage(t, () => ({ auth, count: () => 2, other }))
  const partial = await reload({ 'x-inertia-partial-data': ' count ,' })
  t.strictSame(partial.props, { errors: {}, count: 2 })
  t.equal(other.calls, 0)
  t.strictSame(partial.sharedProps, ['errors'])
})

t.test('a dotted path selects inside a value', async (t) => {
  const lazy = counted(1)
  const { reload } = await startPage(t, () => ({ auth: { ...auth, lazy } }))
  t.strictSame((await reload({ 'x-inertia-partial-data': 'auth.user.name' })).props.auth, { user: { name: 'Ann' } })
  t.strictSame((await reload({ 'x-inertia-partial-except': 'auth.user,auth.lazy' })).props.auth, {
    session: { id: 's' },
  })
  t.equal(lazy.calls, 0)
})

t.test('the result of a closure is sent as a whole', async (t) => {
  const { reload } = await startPage(t, () => ({ auth: async () => auth }))
  t.strictSame((await reload({ 'x-inertia-partial-data': 'auth.user' })).props.auth, auth)
  const inner = await startPage(t, () => ({ auth: async () => ({ ...auth, lazy: () => 1 }) }))
  const partial = await inner.reload({ 'x-inertia-partial-data': 'auth.user' })
  t.strictSame(partial.props.auth, { ...auth, lazy: 1 }, 'with what is computed inside of it')
})

t.test('except wins over only', async (t) => {
  const { reload } = await startPage(t, () => ({ a: 1, b: 2, c: 3 }))
  const partial = await reload({ 'x-inertia-partial-data': 'a,b', 'x-inertia-partial-except': 'b' })
  t.strictSame(partial.props, { errors: {}, a: 1 })
})

t.test('a prop that is left out has no labels', async (t) => {
  const { reload } = await startPage(t, () => ({
    rows: merge([1], { matchOn: 'id' }),
    list: { items: merge([2]) },
    plan: once(3),
  }))
  const partial = await reload({ 'x-inertia-partial-except': 'rows,list.items,plan' })
  t.strictSame(partial.props, { errors: {}, list: {} })
  lacks(t, partial, ['mergeProps', 'matchPropsOn', 'onceProps'])
})

t.test('a partly requested prop has no labels', async (t) => {
  const { reload } = await startPage(t, () => ({ feed: merge({ items: [1] }), plan: once({ name: 'free' }) }))
  const partial = await reload({ 'x-inertia-partial-data': 'feed.items,plan.name' })
  t.strictSame(partial.props, { errors: {}, feed: { items: [1] }, plan: { name: 'free' } })
  lacks(t, partial, ['mergeProps', 'onceProps'])
})

t.test('a partial request for another page gets all of this one', async (t) => {
  const { visit } = await startPage(t, () => ({ a: 1, b: defer(() => 2) }))
  const headers = {
    'x-inertia-partial-component': 'test/other',
    'x-inertia-partial-data': 'a',
    'x-inertia-partial-except': 'a',
  }
  const page = (await visit('/', headers)).json()
  t.strictSame(page.props, { errors: {}, a: 1 })
  t.strictSame(page.deferredProps, { default: ['b'] })
})

t.test('a browser that sends partial headers without the protocol gets a whole document', async (t) => {
  const { load } = await startPage(t, () => ({ a: 1, b: 2 }))
  const { body } = await load('/', { 'x-inertia-partial-component': 'test/any', 'x-inertia-partial-data': 'a' })
  t.match(body, '"a":1,"b":2')
})

t.test('hostile paths in headers select nothing and break nothing', async (t) => {
  const { visit } = await startPage(t, () => ({ a: { b: 1 }, rows: merge([1]), held: once(1) }))
  const hostile = '__proto__,constructor.prototype.x,a.__proto__,toString,,.,..,a.,.a'
  for (const name of ['partial-data', 'partial-except', 'reset', 'except-once-props', 'error-bag']) {
    const response = await visit('/', { 'x-inertia-partial-component': 'test/any', [`x-inertia-${name}`]: hostile })
    t.equal(response.statusCode, 200, name)
  }
  t.notHas({}, { x: true })
})

const log = { warn: () => {} }

const names = ['a', 'b', 'c', 'ab']
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((segments) => segments.join('.'))

const { tree } = fc.letrec<{ tree: Record<string, unknown>; prop: unknown }>((tie) => ({
  tree: fc.dictionary(fc.constantFrom(...names), tie('prop'), { noNullPrototype: true }),
  prop: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer(),
    fc.integer().map((n) => () => n),
    fc.integer().map((n) => async () => n),
    fc.integer().map((n) => optional(() => n)),
    fc.integer().map((n) => defer(() => n)),
    fc.integer().map((n) => merge([n], { matchOn: 'id' })),
    fc.integer().map((n) => once(() => n)),
    tie('tree'),
  ),
}))

const request = fc.record(
  {
    'x-inertia-partial-data': paths(),
    'x-inertia-partial-except': paths(),
    'x-inertia-reset': paths(),
    'x-inertia-except-once-props': paths(),
  },
  { requiredKeys: [] },
)

function paths() {
  return fc.array(path, { maxLength: 3 }).map((paths) => paths.join(','))
}

const isWithin = (path: string, around: string) => path === around || path.startsWith(`${around}.`)

/** All paths of a value that lead to something other than an object. */
const leaves = (value: object, above = ''): string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? leaves(inner, `${above}${name}.`)
      : `${above}${name}`,
  )

t.test('a partial response never contains unrequested props', async (t) => {
  const holds = fc.asyncProperty(tree, request, async (given, headers) => {
    const visit = readVisit({ 'x-inertia': 'true', 'x-inertia-partial-component': 'p', ...headers }, 'p')
    const { props, labels } = await resolve(given, visit, log)
    return (
      !labels.deferredProps &&
      leaves(props).every(
        (leaf) =>
          (visit.only.length === 0 || visit.only.some((asked) => isWithin(leaf, asked) || isWithin(asked, leaf))) &&
          !visit.except.some((refused) => isWithin(leaf, refused)),
      )
    )
  })
  await fc.assert(holds, { numRuns: 2000 })
  t.pass('for 2000 random trees and requests')
})

t.test('labels only refer to props that are sent, held or deferred', async (t) => {
  const holds = fc.asyncProperty(tree, request, fc.boolean(), async (given, headers, partial) => {
    const visit = readVisit(
      { 'x-inertia': 'true', ...(partial && { 'x-inertia-partial-component': 'p' }), ...headers },
      'p',
    )
    const { props, labels } = await resolve(given, visit, log)
    const there = leaves(props)
    const deferred = Object.values(labels.deferredProps ?? {}).flat()
    const once = Object.values(labels.onceProps ?? {}).map(({ prop }) => prop)
    return (
      deferred.every((path) => !there.includes(path)) &&
      (labels.mergeProps ?? []).every((path) => there.includes(path) && !visit.reset.includes(path)) &&
      (labels.matchPropsOn ?? []).every((path) => labels.mergeProps?.includes(path.slice(0, -'.id'.length))) &&
      once.every((path) => there.includes(path) || visit.held.includes(path))
    )
  })
  await fc.assert(holds, { numRuns: 2000 })
  t.pass('for 2000 random trees and requests')
})
