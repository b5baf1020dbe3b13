import t from 'tap'
import { deepMerge, defer, merge, prepend, scroll } from '../../../plugins/inertia/index.ts'
import { lacks, startPage } from './site.ts'

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

t.test('a reset prop starts over: it is sent without its labels', async (t) => {
  const page = () => ({ currentPage: 1, previousPage: null, nextPage: 2 })
  const { reload } = await startPage(t, () => ({
    rows: merge([1], { matchOn: 'id' }),
    more: merge([2]),
    list: scroll({ data: [3] }, { page }),
  }))
  const partial = await reload({ 'x-inertia-partial-data': 'rows,more,list', 'x-inertia-reset': 'rows,list' })
  t.strictSame(partial.props, { errors: {}, rows: [1], more: [2], list: { data: [3] } })
  t.strictSame(partial.mergeProps, ['more'])
  lacks(t, partial, ['matchPropsOn'])
  t.equal(partial.scrollProps.list.reset, true)
})

t.test('a scrolling list has its position, and grows at the end that was reached', async (t) => {
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
  lacks(t, up, ['mergeProps'])
  t.strictSame(Object.keys(up.scrollProps), ['posts'])
})

t.test('a deferred list has its position once it is loaded', async (t) => {
  const page = () => ({ currentPage: 1, previousPage: null, nextPage: null })
  const { visit, reload } = await startPage(t, () => ({ posts: defer(scroll(() => ({ data: [] }), { page })) }))

  const first = (await visit('/')).json()
  t.strictSame(first.deferredProps, { default: ['posts'] })
  lacks(t, first, ['scrollProps'])
  t.hasStrict((await reload({ 'x-inertia-partial-data': 'posts' })).scrollProps, { posts: { currentPage: 1 } })
})
