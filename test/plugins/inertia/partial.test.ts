import t from 'tap'
import { defer, merge, once } from '../../../plugins/inertia/index.ts'
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
