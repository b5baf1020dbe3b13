import t from 'tap'
import { defer, merge, once, optional } from '../../../plugins/inertia/index.ts'
import { counted, startPage } from './site.ts'

t.test('a once prop has a key and an expiry, and is not sent again while the client has it', async (t) => {
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
})

t.test('a once prop is sent again under another key, or if requested by name', async (t) => {
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
