import { mock } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createRenderer } from '../../../plugins/inertia/index.ts'
import { counted, embedded, startPage, startSite } from './site.ts'

declare module '../../../plugins/inertia/pages.ts' {
  interface Pages {
    'test/fine': { greeting: string }
    'test/loops': { greeting: string }
  }
}

const entry = fileURLToPath(new URL('fixtures/bundle.js', import.meta.url))
const timeoutMs = 30_000
const tooLong = 'it took more than 30000 ms'

async function start(t: Test) {
  /** Each page that was left to the client, and why. */
  const reasons: string[] = []
  const renderer = await createRenderer({
    entry,
    timeoutMs,
    warn: ({ component, reason }) => reasons.push(`${component} ${reason}`),
    context: { appName: 'App' },
  })
  t.teardown(() => renderer.close())
  const props = { greeting: 'secret', count: undefined }
  const page = { props, url: '/?sid=secret', version: '', sharedProps: [], flash: {} }
  const render = (component: string, client?: AbortSignal) =>
    renderer.render({ component, ...page }, client && { client })
  /** Lets the time of every page under way run out, but no other time. */
  const holdClock = () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    return () => mock.timers.tick(timeoutMs)
  }
  return { renderer, render, reasons, holdClock }
}

t.test('a page becomes the head and the body of its document', async (t) => {
  const { render, reasons } = await start(t)
  const body = '<div data-server-rendered="true" id="app">secret $& undefined</div>'
  t.strictSame(await render('test/fine'), { head: ['<title>App</title>'], body })
  t.strictSame(await render('test/slow'), { head: [], body: 'slow' })
  t.strictSame(reasons, [])
})

t.test('a failing page is left to the client, with one warning that reveals no secret', async (t) => {
  const { render, reasons } = await start(t)
  const failures = {
    'test/throws': /^test\/throws TypeError at .*bundle\.js:\d+:\d+/,
    'test/throws-anything': /^test\/throws-anything threw no error but a value of type object$/,
    'test/answers-nonsense': /^test\/answers-nonsense TypeError /,
    'test/none': /^test\/none TypeError /,
    'test/recurses': /^test\/recurses RangeError /,
    'test/exits': /^test\/exits its thread ended$/,
  }
  for (const [page, reason] of Object.entries(failures)) {
    t.equal(await render(page), undefined, page)
    t.match(reasons.at(-1), reason)
    t.ok(await render('test/fine'), 'and the next one is rendered')
  }
  t.equal(reasons.length, Object.keys(failures).length)
  t.notMatch(reasons.join(), 'secret')
})

t.test('a page that never ends times out, and delays no other', async (t) => {
  const { render, reasons, holdClock } = await start(t)
  await render('test/fine')
  const runOut = holdClock()
  const stuck = Promise.all([render('test/loops'), render('test/waits')])
  for (let i = 0; i < 5; i++) t.ok(await render('test/fine'))
  t.strictSame(reasons, [], 'they were rendered beside it')

  runOut()
  t.strictSame(await stuck, [undefined, undefined])
  t.strictSame(reasons, [`test/loops ${tooLong}`, `test/waits ${tooLong}`])
  t.ok(await render('test/fine'))
})

t.test('nothing is rendered for a client that has left', async (t) => {
  const { render, reasons } = await start(t)
  await render('test/fine')
  const client = new AbortController()
  const loops = render('test/loops', client.signal)
  client.abort()
  t.equal(await loops, undefined)
  t.equal(await render('test/fine', client.signal), undefined)
  t.strictSame(reasons, [], 'and no failure is logged')
})

t.test('a browser gets the server-rendered page, or one for the client to render', async (t) => {
  const { renderer, reasons, holdClock } = await start(t)
  const routes: Parameters<typeof startSite>[1] = (app) => {
    app.get('/fine', (_request, reply) => reply.page('test/fine', { greeting: '</script>' }))
    app.get('/loops', (_request, reply) => reply.page('test/loops', { greeting: 'hi' }))
  }
  const { load } = await startSite(t, routes, { renderer })
  const fine = await load('/fine')
  t.match(fine.body, '<body><div data-server-rendered="true" id="app"></script> $& undefined</div></body>')
  t.strictSame(fine.body.match(/<title.*?<\/title>/g), ['<title>App</title>'])

  const runOut = holdClock()
  let loops: Awaited<ReturnType<typeof load>> | undefined
  load('/loops?sid=secret').then((response) => {
    loops = response
  })
  for (; !loops; await immediate()) runOut()
  t.equal(loops.statusCode, 200)
  t.match(embedded(loops.body), { component: 'test/loops', props: { greeting: 'hi' }, url: '/loops?sid=secret' })
  t.match(loops.body, '<div id="app"></div>')
  t.strictSame(reasons, [`test/loops ${tooLong}`])
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
