import t from 'tap'
import { deepMerge, defer, merge, once, optional, prepend, scroll } from '../../../plugins/inertia/index.ts'
import { embedded, startPage } from './site.ts'

/** What a request asks for, in short names of its headers. */
type Asked = Partial<Record<keyof typeof headerOf, string>> & { document?: true }

const headerOf = {
  of: 'x-inertia-partial-component',
  only: 'x-inertia-partial-data',
  except: 'x-inertia-partial-except',
  reset: 'x-inertia-reset',
  held: 'x-inertia-except-once-props',
  grows: 'x-inertia-infinite-scroll-merge-intent',
}

function headersOf({ document: _, ...asked }: Asked) {
  const isPartial = asked.only !== undefined || asked.except !== undefined
  const names = Object.entries({ ...(isPartial && { of: 'test/any' }), ...asked })
  return Object.fromEntries(names.map(([name, value]) => [headerOf[name as keyof typeof headerOf], value]))
}

/** A page with these props answers each request with exactly these of them, and these labels. */
function page(title: string, props: Record<string, unknown>, ...answers: [Asked, sent: object, labels?: object][]) {
  t.test(title, async (t) => {
    const { load, visit } = await startPage(t, () => props)
    const frame = { component: 'test/any', url: '/', version: 'v1', sharedProps: ['errors'], flash: {} }
    for (const [asked, sent, labels] of answers) {
      const response = await (asked.document ? load : visit)('/', headersOf(asked))
      const got = asked.document ? embedded(response.body) : response.json()
      t.strictSame(got, { ...frame, props: { errors: {}, ...sent }, ...labels }, JSON.stringify(asked))
    }
  })
}

const never = () => {
  throw new Error('computed although nobody asked for it')
}
const later = (...names: string[]) => ({ deferredProps: { default: names } })
const matched = { mergeProps: ['rows'], matchPropsOn: ['rows.id'] }
const auth = { user: { id: 1, name: 'Ann' }, session: { id: 's' } }

page(
  'a kind inside a plain value works as at the top level',
  { team: { name: () => 'Tea', log: { rows: defer(merge(() => [1])) } } },
  [{}, { team: { name: 'Tea', log: {} } }, { ...later('team.log.rows'), mergeProps: ['team.log.rows'] }],
  [{ only: 'team.log.rows' }, { team: { log: { rows: [1] } } }, { mergeProps: ['team.log.rows'] }],
  [{ only: 'team' }, { team: { name: 'Tea', log: { rows: [1] } } }, { mergeProps: ['team.log.rows'] }],
)

page(
  'dates, arrays and instances are serialized like JSON does',
  { at: new Date(0), list: [{ a: 1 }], by: new Map([[1, 2]]), none: null },
  [{}, { at: '1970-01-01T00:00:00.000Z', list: [{ a: 1 }], by: {}, none: null }],
)

page(
  'an optional prop is neither computed nor sent until it is requested',
  { a: 1, rare: optional(never), chosen: optional(() => 'v') },
  [{}, { a: 1 }],
  [{ only: 'a' }, { a: 1 }],
  [{ only: 'chosen' }, { chosen: 'v' }],
)

const groups = { deferredProps: { default: ['count'], charts: ['slow', 'slower'] } }
page(
  'a deferred prop is listed by group and not computed, until the client requests it',
  { count: defer(never), slow: defer(() => 2, { group: 'charts' }), slower: defer(async () => 3, { group: 'charts' }) },
  [{}, {}, groups],
  [{ document: true }, {}, groups],
  [{ only: 'slow,slower' }, { slow: 2, slower: 3 }], // with a list, the client would load it again for ever
)

page(
  'only requested props are sent and computed, and except wins over only',
  { auth, a: () => 2, b: never },
  [{ only: ' a ,' }, { a: 2 }],
  [{ only: 'a,b', except: 'b' }, { a: 2 }],
)

page(
  'a dotted path selects inside a value',
  { auth: { ...auth, lazy: never } },
  [{ only: 'auth.user.name' }, { auth: { user: { name: 'Ann' } } }],
  [{ except: 'auth.user,auth.lazy' }, { auth: { session: { id: 's' } } }],
)

page(
  'the result of a closure is sent as a whole, with what is computed inside of it',
  { auth: async () => ({ ...auth, lazy: () => 1 }) },
  [{ only: 'auth.user' }, { auth: { ...auth, lazy: 1 } }],
)

page(
  'a prop that is left out, or only in part requested, has no labels',
  {
    rows: merge([1], { matchOn: 'id' }),
    list: { items: merge([2]) },
    feed: merge({ items: [1] }),
    plan: once({ a: 3 }),
  },
  [{ except: 'rows,list.items,plan,feed' }, { list: {} }],
  [{ only: 'feed.items,plan.a' }, { feed: { items: [1] }, plan: { a: 3 } }],
)

page(
  'a partial request for another page gets all of this one, and so does a browser without the protocol',
  { a: 1, b: defer(() => 2) },
  [{ of: 'test/other', only: 'a', except: 'a' }, { a: 1 }, later('b')],
  [{ document: true, only: 'b' }, { a: 1 }, later('b')],
)

const labels = {
  mergeProps: ['rows', 'feed.data', 'both.old'],
  prependProps: ['news', 'both.new'],
  deepMergeProps: ['tree'],
  matchPropsOn: ['rows.id', 'tree.a.id', 'tree.b.id', 'feed.data.id'],
}
page(
  'merged props are labelled: appended, before, deep, at a path and by a field',
  {
    rows: merge([1], { matchOn: 'id' }),
    news: prepend(() => [1]),
    tree: deepMerge({ a: [1] }, { matchOn: ['a.id', 'b.id'] }),
    feed: merge({ data: [1] }, { at: 'data', matchOn: 'id' }),
    both: prepend(merge({ old: [1], new: [2] }, { at: 'old' }), { at: ['new'] }),
  },
  [{}, { rows: [1], news: [1], tree: { a: [1] }, feed: { data: [1] }, both: { old: [1], new: [2] } }, labels],
)

const position = { currentPage: 1, previousPage: null, nextPage: 2 }
const list = { pageName: 'page', ...position, reset: false }

page(
  'a reset prop starts over: it is sent without its labels',
  { rows: merge([1], { matchOn: 'id' }), more: merge([2]), list: scroll({ data: [3] }, { page: () => position }) },
  [
    { only: 'rows,more,list', reset: 'rows,list' },
    { rows: [1], more: [2], list: { data: [3] } },
    { mergeProps: ['more'], scrollProps: { list: { ...list, reset: true } } },
  ],
)

const read = ({ next }: { next: number }) => ({ ...position, nextPage: next })
const [posts, logs] = [
  { data: [1], next: 2 },
  { lines: [], next: 9 },
]
const ofPosts = { scrollProps: { posts: { ...list, pageName: 'p' } }, matchPropsOn: ['posts.data.id'] }
const ofBoth = { ...ofPosts, scrollProps: { ...ofPosts.scrollProps, logs: { ...list, nextPage: 9 } } }
page(
  'a scrolling list has its position, and grows at the end that was reached',
  {
    posts: scroll(async () => posts, { page: read, pageName: 'p', matchOn: 'id' }),
    logs: scroll(logs, { page: read, wrapper: 'lines' }),
  },
  [{}, { posts, logs }, { ...ofBoth, mergeProps: ['posts.data', 'logs.lines'] }],
  [{ only: 'posts', grows: 'prepend' }, { posts }, { ...ofPosts, prependProps: ['posts.data'] }],
)

page(
  'a deferred list has its position once it is loaded',
  { list: defer(scroll(() => ({ data: [] }), { page: () => position })) },
  [{}, {}, { ...later('list'), mergeProps: ['list.data'] }],
  [{ only: 'list' }, { list: { data: [] } }, { scrollProps: { list }, mergeProps: ['list.data'] }],
)

const accounts = { 'accounts:8': { prop: 'accounts' } }
const onceProps = { plans: { prop: 'plans' }, ...accounts }
page(
  'a once prop is not sent again while the client has it under its key, unless it is requested by name',
  { plans: once(() => 'a'), accounts: once(['b'], { key: 'accounts:8' }) },
  [{}, { plans: 'a', accounts: ['b'] }, { onceProps }],
  [{ held: 'plans, accounts:8' }, {}, { onceProps }], // or the client would forget them
  [{ held: 'plans,accounts:7,accounts' }, { accounts: ['b'] }, { onceProps }],
  [{ held: 'accounts:8', only: 'accounts' }, { accounts: ['b'] }, { onceProps: accounts }],
  [{ held: 'plans,accounts:8', except: 'x' }, {}, { onceProps }],
  [{ held: 'plans', document: true }, { plans: 'a', accounts: ['b'] }, { onceProps }], // a document holds nothing
)

const slow = { slow: { prop: 'slow' } }
const kept = { onceProps: { ...slow, rare: { prop: 'rare' }, once: { prop: 'once' } } }
const held = { held: 'slow,rare,once' }
page(
  'kinds combine',
  {
    slow: once(defer(() => 1)),
    rare: once(optional(() => 2)),
    once: once(merge(() => [3])),
    rows: defer(merge(() => [4], { matchOn: 'id' })),
  },
  [{}, { once: [3] }, { ...kept, ...later('slow', 'rows'), ...matched, mergeProps: ['rows', 'once'] }],
  [held, {}, { ...kept, ...later('rows'), ...matched }], // what is held is not loaded again
  [
    { ...held, only: 'slow,rows' },
    { slow: 1, rows: [4] },
    { onceProps: slow, ...matched },
  ],
)

t.test('a once prop can expire', async (t) => {
  const { visit } = await startPage(t, () => ({ accounts: once(['a'], { expiresInMs: 60_000 }) }))
  const before = Date.now()
  const { expiresAt } = (await visit('/')).json().onceProps.accounts
  t.ok(expiresAt >= before + 60_000 && expiresAt <= Date.now() + 60_000)
})
