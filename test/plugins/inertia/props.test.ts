import t from 'tap'
import { defer, merge, optional } from '../../../plugins/inertia/index.ts'
import { counted, lacks, startPage } from './site.ts'

t.test('a kind inside a plain value works as at the top level', async (t) => {
  const rows = counted([1])
  const { visit, reload } = await startPage(t, () => ({
    team: { name: () => 'Tea', log: { rows: defer(merge(rows)) } },
  }))

  const page = (await visit('/')).json()
  t.strictSame(page.props.team, { name: 'Tea', log: {} })
  t.strictSame(page.deferredProps, { default: ['team.log.rows'] })
  t.equal(rows.calls, 0)

  const partial = await reload({ 'x-inertia-partial-data': 'team.log.rows' })
  t.strictSame(partial.props, { errors: {}, team: { log: { rows: [1] } } })
  t.strictSame(partial.mergeProps, ['team.log.rows'])
})

t.test('dates, arrays and instances are serialized like JSON does', async (t) => {
  const { visit } = await startPage(t, () => ({ at: new Date(0), list: [{ a: 1 }], by: new Map([[1, 2]]), none: null }))
  t.strictSame((await visit('/')).json().props, {
    errors: {},
    at: '1970-01-01T00:00:00.000Z',
    list: [{ a: 1 }],
    by: {},
    none: null,
  })
})

t.test('a key named __proto__ is an ordinary key, even when its parent is copied', async (t) => {
  const given = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
  const { visit } = await startPage(t, () => ({ given: { ...given, lazy: () => 2 } }))
  t.match((await visit('/')).body, '"given":{"__proto__":{"polluted":true},"constructor":1,"lazy":2}')
  t.notHas({}, { polluted: true })
})

t.test('an optional prop is neither computed nor sent until it is requested', async (t) => {
  const value = counted('v')
  const { visit, reload } = await startPage(t, () => ({ a: 1, rare: optional(value) }))

  t.strictSame((await visit('/')).json().props, { errors: {}, a: 1 })
  await reload({ 'x-inertia-partial-data': 'a' })
  t.equal(value.calls, 0)
  t.strictSame((await reload({ 'x-inertia-partial-data': 'rare' })).props, { errors: {}, rare: 'v' })
})

t.test('a deferred prop is listed by group and not sent, until the client requests it', async (t) => {
  const value = counted(2)
  const { visit, load, reload } = await startPage(t, () => ({
    count: defer(value),
    slow: defer(value, { group: 'charts' }),
    slower: defer(async () => value(), { group: 'charts' }),
  }))
  const page = (await visit('/')).json()
  t.strictSame(page.props, { errors: {} })
  t.strictSame(page.deferredProps, { default: ['count'], charts: ['slow', 'slower'] })
  await load('/')
  t.equal(value.calls, 0)

  const partial = await reload({ 'x-inertia-partial-data': 'slow,slower', 'cache-control': 'no-cache' })
  t.strictSame(partial.props, { errors: {}, slow: 2, slower: 2 })
  lacks(t, partial, ['deferredProps'], 'or the client would load it again for ever')
})

t.test('a failing deferred prop with rescue is left out, named and logged', async (t) => {
  const fails = async () => {
    throw new Error('broken')
  }
  const throws = () => {
    throw new Error('broken')
  }
  const { reload, log } = await startPage(t, () => ({
    a: 1,
    count: defer(merge(fails), { rescue: true }),
    sum: defer(throws, { rescue: true }),
  }))
  const partial = await reload({ 'x-inertia-partial-data': 'a,count,sum' })
  t.strictSame(partial.props, { errors: {}, a: 1 })
  t.strictSame(partial.rescuedProps.toSorted(), ['count', 'sum'])
  lacks(t, partial, ['mergeProps'])
  t.strictSame(log.map(({ level, prop }) => [level, prop]).toSorted(), [
    [40, 'count'],
    [40, 'sum'],
  ])
})

t.test('a failing deferred prop without rescue fails the request', async (t) => {
  const fails = () => Promise.reject(new Error('broken'))
  const { visit } = await startPage(t, () => ({ count: defer(fails) }))
  const response = await visit('/', { 'x-inertia-partial-component': 'test/any', 'x-inertia-partial-data': 'count' })
  t.equal(response.statusCode, 500)
})
