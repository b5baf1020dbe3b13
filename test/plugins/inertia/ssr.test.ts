import { mock } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createRenderer, type RendererOptions } from '../../../plugins/inertia/index.ts'
import { counted, embedded, startPage, startSite } from './site.ts'

type Warning = Parameters<RendererOptions['warn']>[0]

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

async function start(t: Test, { entry = file('bundle.js'), timeoutMs = 30_000 } = {}) {
  const warnings: Warning[] = []
  const warn = (warning: Warning) => warnings.push(warning)
  const renderer = await createRenderer({ entry, timeoutMs, warn, context: { appName: 'App' } })
  t.teardown(() => renderer.close())

  const render = (component: string) =>
    renderer.render({
      component,
      props: { greeting: 'secret', count: undefined },
      url: '/?sid=secret',
      version: '',
      sharedProps: [],
      flash: {},
    })
  /** Lets the time of every page under way run out, but no other time. */
  const holdClock = () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    return () => mock.timers.tick(timeoutMs)
  }
  const reasons = () => warnings.map(({ component, reason }) => `${component} ${reason}`)
  return { renderer, render, warnings, reasons, holdClock }
}

t.test('a page becomes the head and the body of its document', async (t) => {
  const { render, warnings } = await start(t)
  t.strictSame(await render('test/fine'), {
    head: ['<title>App</title>'],
    body: '<div data-server-rendered="true" id="app">secret $& undefined</div>',
  })
  t.strictSame(await render('test/slow'), { head: [], body: 'slow' })
  t.strictSame(warnings, [])
})

t.test('a failing page is left to the client, with one warning that reveals no secret', async (t) => {
  const { render, reasons } = await start(t)
  for (const page of [
    'test/throws',
    'test/throws-anything',
    'test/answers-nonsense',
    'test/none',
    'test/recurses',
    'test/exits',
  ]) {
    t.equal(await render(page), undefined, page)
    t.ok(await render('test/fine'), 'and the next one is rendered')
  }
  const [throws, anything, nonsense, none, recurses, exits, ...more] = reasons()
  t.match(throws, /^test\/throws TypeError at .*bundle\.js:\d+:\d+/)
  t.equal(anything, 'test/throws-anything threw no error but a value of type object')
  t.match(nonsense, /^test\/answers-nonsense TypeError /)
  t.match(none, /^test\/none TypeError /)
  t.match(recurses, /^test\/recurses RangeError /)
  t.equal(exits, 'test/exits its thread ended')
  t.strictSame(more, [])
  t.notMatch(reasons().join(), 'secret')
})

t.test('a page that never ends times out, and delays no other', async (t) => {
  const { render, reasons, holdClock } = await start(t)
  await render('test/fine')
  const runOut = holdClock()
  const stuck = Promise.all([render('test/loops'), render('test/waits')])
  for (let i = 0; i < 5; i++) t.ok(await render('test/fine'))
  t.strictSame(reasons(), [], 'they were rendered beside it')

  runOut()
  t.strictSame(await stuck, [undefined, undefined])
  t.strictSame(reasons(), ['test/loops it took more than 30000 ms', 'test/waits it took more than 30000 ms'])
  t.ok(await render('test/fine'))
})

t.test('a browser gets the server-rendered page, or one for the client to render', async (t) => {
  const { renderer, reasons, holdClock } = await start(t)
  const { load } = await startSite(
    t,
    (app) => {
      app.get('/fine', (_request, reply) => reply.page('test/fine', { greeting: '</script>' }))
      app.get('/loops', (_request, reply) => reply.page('test/loops', { greeting: 'hi' }))
    },
    { renderer },
  )
  const fine = await load('/fine')
  t.match(fine.body, '<body><div data-server-rendered="true" id="app"></script> $& undefined</div></body>')
  t.match(fine.body, '<title>App</title>')
  t.equal(fine.body.match(/<title/g)?.length, 1)

  const runOut = holdClock()
  let loops: Awaited<ReturnType<typeof load>> | undefined
  load('/loops?sid=secret').then((response) => {
    loops = response
  })
  for (; !loops; await immediate()) runOut()
  t.equal(loops.statusCode, 200)
  t.match(embedded(loops.body), { component: 'test/loops', props: { greeting: 'hi' }, url: '/loops?sid=secret' })
  t.match(loops.body, '<div id="app"></div>')
  t.strictSame(reasons(), ['test/loops it took more than 30000 ms'])
})

t.test('a visit is never rendered on the server', async (t) => {
  const rendered = counted(undefined)
  const renderer = { render: async () => rendered(), close: async () => {} }
  const { visit, reload, load } = await startPage(t, () => ({ a: 1 }), { renderer })
  t.equal((await visit('/')).json().props.a, 1)
  t.equal((await reload({ 'x-inertia-partial-data': 'a' })).props.a, 1)
  t.equal(rendered.calls, 0)
  await load('/')
  t.equal(rendered.calls, 1)
})

declare module '../../../plugins/inertia/pages.ts' {
  interface Pages {
    'test/fine': { greeting: string }
    'test/loops': { greeting: string }
  }
}
