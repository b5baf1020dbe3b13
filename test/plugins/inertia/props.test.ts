import t from 'tap'
import { always, deepMerge, defer, merge, once, optional, prepend, scroll } from '../../../plugins/inertia/index.ts'
import { counted, startPage } from './site.ts'

t.test('closures run, and at the same time', async (t) => {
  const first = Promise.withResolvers<string>()
  const { visit } = await startPage(t, () => ({
    waits: () => first.promise,
    releases: () => {
      first.resolve('released')
      return 'by the second'
    },
  }))
  t.match((await visit('/')).json().props, { waits: 'released', releases: 'by the second' })
})

t.test('props keep their order, whichever is there first', async (t) => {
  const late = () => new Promise((done) => setImmediate(done, 1))
  const { visit } = await startPage(t, () => ({ a: late, b: 2, c: async () => 3 }))
  t.match((await visit('/')).body, '"props":{"errors":{},"a":1,"b":2,"c":3}')
})

t.test('a kind inside of a plain value works as on top', async (t) => {
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

t.test('dates, lists and instances travel as JSON writes them', async (t) => {
  const { visit } = await startPage(t, () => ({ at: new Date(0), list: [{ a: 1 }], by: new Map([[1, 2]]), none: null }))
  t.strictSame((await visit('/')).json().props, {
    errors: {},
    at: '1970-01-01T00:00:00.000Z',
    list: [{ a: 1 }],
    by: {},
    none: null,
  })
})

t.test('a key named like the prototype is a key', async (t) => {
  const given = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
  const { visit } = await startPage(t, () => ({ given: { ...given, lazy: () => given } }))
  const body = (await visit('/')).body
  t.match(body, '"lazy":{"__proto__":{"polluted":true},"constructor":1}')
  t.notHas({}, { polluted: true })
})

t.test('an optional prop is neither computed nor sent until it is asked for', async (t) => {
  const value = counted('v')
  const { visit, reload } = await startPage(t, () => ({ a: 1, rare: optional(value) }))

  t.strictSame((await visit('/')).json().props, { errors: {}, a: 1 })
  await reload({ 'x-inertia-partial-data': 'a' })
  t.equal(value.calls, 0)
  t.strictSame((await reload({ 'x-inertia-partial-data': 'rare' })).props, { errors: {}, rare: 'v' })
})

t.test('a deferred prop is listed by its group and not sent, and the client then asks for it', async (t) => {
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
  t.notHas(partial, { deferredProps: Object }, 'or the client would load it again for ever')
})

t.test('a deferred prop that fails is left out, named and logged when it may be rescued', async (t) => {
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
  t.notHas(partial, { mergeProps: Array })
  t.strictSame(log.map(({ level, prop }) => [level, prop]).toSorted(), [
    [40, 'count'],
    [40, 'sum'],
  ])
})

t.test('a deferred prop that fails without rescue fails the request', async (t) => {
  const fails = () => Promise.reject(new Error('broken'))
  const { visit } = await startPage(t, () => ({ count: defer(fails) }))
  const response = await visit('/', { 'x-inertia-partial-component': 'test/any', 'x-inertia-partial-data': 'count' })
  t.equal(response.statusCode, 500)
})

t.test('merged props are labelled: appended, before, deep, at a path and by a field', async (t) => {
  const { visit } = await startPage(t, () => ({
    rows: merge([1], { matchOn: 'id' }),
    news: prepend(() => [1]),
    tree: deepMerge({ a: [1] }, { matchOn: ['a.id', 'b.id'] }),
    feed: merge({ data: [1] }, { at: 'data', matchOn: 'id' }),
    both: prepend(merge({ old: [1], new: [2] }, { at: 'old' }), { at: ['new'] }),
  }))
  const { props, ...page } = (await visit('/')).json()
  t.strictSame(props, {
    errors: {},
    rows: [1],
    news: [1],
    tree: { a: [1] },
    feed: { data: [1] },
    both: { old: [1], new: [2] },
  })
  t.match(page, {
    mergeProps: ['rows', 'feed.data', 'both.old'],
    prependProps: ['news', 'both.new'],
    deepMergeProps: ['tree'],
    matchPropsOn: ['rows.id', 'tree.a.id', 'tree.b.id', 'feed.data.id'],
  })
})

t.test('a reset prop starts anew: it is sent without its labels', async (t) => {
  const page = () => ({ currentPage: 1, previousPage: null, nextPage: 2 })
  const { reload } = await startPage(t, () => ({
    rows: merge([1], { matchOn: 'id' }),
    more: merge([2]),
    list: scroll({ data: [3] }, { page }),
  }))
  const partial = await reload({ 'x-inertia-partial-data': 'rows,more,list', 'x-inertia-reset': 'rows,list' })
  t.strictSame(partial.props, { errors: {}, rows: [1], more: [2], list: { data: [3] } })
  t.strictSame(partial.mergeProps, ['more'])
  t.notHas(partial, { matchPropsOn: Array })
  t.equal(partial.scrollProps.list.reset, true)
})

t.test('a list that scrolls says where it stands, and grows at the end that was reached', async (t) => {
  const page = ({ next }: { next: number }) => ({ currentPage: next - 1, previousPage: null, nextPage: next })
  const { visit, reload } = await startPage(t, () => ({
    posts: scroll(async () => ({ data: [1], next: 2 }), { page, pageName: 'p', matchOn: 'id' }),
    logs: scroll({ lines: [], next: 9 }, { page, wrapper: 'lines' }),
  }))
  const first = (await visit('/')).json()
  t.strictSame(first.scrollProps, {
    posts: { pageName: 'p', currentPage: 1, previousPage: null, nextPage: 2, reset: false },
    logs: { pageName: 'page', currentPage: 8, previousPage: null, nextPage: 9, reset: false },
  })
  t.strictSame(first.mergeProps, ['posts.data', 'logs.lines'])
  t.strictSame(first.matchPropsOn, ['posts.data.id'])

  const up = await reload({ 'x-inertia-partial-data': 'posts', 'x-inertia-infinite-scroll-merge-intent': 'prepend' })
  t.strictSame(up.prependProps, ['posts.data'])
  t.notHas(up, { mergeProps: Array })
  t.strictSame(Object.keys(up.scrollProps), ['posts'])
})

t.test('a deferred list says where it stands once it is loaded', async (t) => {
  const page = () => ({ currentPage: 1, previousPage: null, nextPage: null })
  const { visit, reload } = await startPage(t, () => ({ posts: defer(scroll(() => ({ data: [] }), { page })) }))

  const first = (await visit('/')).json()
  t.strictSame(first.deferredProps, { default: ['posts'] })
  t.notHas(first, { scrollProps: Object })
  t.hasStrict((await reload({ 'x-inertia-partial-data': 'posts' })).scrollProps, { posts: { currentPage: 1 } })
})

t.test(
  'a once prop is sent with its key and the time of its end, and not again while the client holds it',
  async (t) => {
    const value = counted(['a'])
    const { visit, load } = await startPage(t, () => ({
      accounts: once(value, { key: 'accounts:7', expiresInMs: 60_000 }),
      plans: once(value),
    }))
    const before = Date.now()
    const first = (await visit('/')).json()
    t.strictSame(first.props, { errors: {}, accounts: ['a'], plans: ['a'] })
    const { expiresAt } = first.onceProps['accounts:7']
    t.ok(expiresAt >= before + 60_000 && expiresAt <= Date.now() + 60_000)
    t.strictSame(first.onceProps, { 'accounts:7': { prop: 'accounts', expiresAt }, plans: { prop: 'plans' } })
    t.equal(value.calls, 2)

    const second = (await visit('/', { 'x-inertia-except-once-props': 'plans, accounts:7' })).json()
    t.strictSame(second.props, { errors: {} })
    t.strictSame(Object.keys(second.onceProps), ['accounts:7', 'plans'], 'or the client would forget them')
    t.equal(value.calls, 2)

    await load('/', { 'x-inertia-except-once-props': 'plans' })
    t.equal(value.calls, 4, 'a document holds nothing')
  },
)

t.test('a once prop is sent again under another key, and when it is asked for by name', async (t) => {
  const { visit, reload } = await startPage(t, () => ({ accounts: once(['a'], { key: 'accounts:8' }) }))
  t.ok((await visit('/', { 'x-inertia-except-once-props': 'accounts:7,accounts' })).json().props.accounts)

  const held = { 'x-inertia-except-once-props': 'accounts:8' }
  t.ok((await reload({ ...held, 'x-inertia-partial-data': 'accounts' })).props.accounts)
  t.notOk((await reload({ ...held, 'x-inertia-partial-except': 'x' })).props.accounts)
})

t.test('a shared once prop is not among the names that the client carries over', async (t) => {
  const { visit, app } = await startPage(t, () => ({}))
  app.share('test/viewer', () => null)
  app.share('test/motto', () => once(() => 'tea'))
  const page = (await visit('/')).json()
  t.strictSame(page.sharedProps, ['errors', 'test/viewer'])
  t.equal(page.props['test/motto'], 'tea')
})

t.test('kinds combine', async (t) => {
  const value = counted([1])
  const { visit, reload } = await startPage(t, () => ({
    deferredOnce: once(defer(value)),
    optionalOnce: once(optional(value)),
    mergedOnce: once(merge(value)),
    deferredMerge: defer(merge(value, { matchOn: 'id' })),
  }))
  const first = (await visit('/')).json()
  t.strictSame(first.props, { errors: {}, mergedOnce: [1] })
  t.strictSame(first.deferredProps, { default: ['deferredOnce', 'deferredMerge'] })
  t.strictSame(Object.keys(first.onceProps).toSorted(), ['deferredOnce', 'mergedOnce', 'optionalOnce'])
  t.strictSame(first.mergeProps.toSorted(), ['deferredMerge', 'mergedOnce'])

  const held = { 'x-inertia-except-once-props': 'deferredOnce,optionalOnce,mergedOnce' }
  const second = (await visit('/', held)).json()
  t.strictSame(second.deferredProps, { default: ['deferredMerge'] }, 'what is held is not loaded again')
  t.strictSame(second.props, { errors: {} })

  const partial = await reload({ ...held, 'x-inertia-partial-data': 'deferredOnce,deferredMerge' })
  t.strictSame(partial.props, { errors: {}, deferredOnce: [1], deferredMerge: [1] })
  t.strictSame(partial.matchPropsOn, ['deferredMerge.id'])
})

t.test('a prop that is always sent is sent with every partial answer', async (t) => {
  const { reload } = await startPage(t, () => ({ a: 1, now: always(() => 2), b: 3 }))
  t.strictSame((await reload({ 'x-inertia-partial-data': 'b' })).props, { errors: {}, now: 2, b: 3 })
  t.strictSame((await reload({ 'x-inertia-partial-except': 'now,errors,a' })).props, { errors: {}, now: 2, b: 3 })
})
