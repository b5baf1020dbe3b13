import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { startApp } from '../helpers/app.ts'
import { startAcme } from '../helpers/people.ts'
import { openAt, skip } from './chromium.ts'
import { comesTrue, watchShifts } from './steps.ts'

/** The application behind a network that passes the beginning of each page on in pieces, one after each paint. */
async function startInPieces(t: Test, { cut = false } = {}) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const rendered = { SSR_ENABLED: 'true', SSR_TIMEOUT_MS: '60000' }
  const started = await startApp(t, { HOST: origin, COMPRESSION: 'false', ...rendered })
  const target = await started.app.listen({ port: 0, host: '127.0.0.1' })
  const server = createServer(async ({ url, headers: { cookie = '' } }, outgoing) => {
    const answer = await fetch(target + url, { headers: { cookie, accept: '*/*' } })
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    if (!isPage) return outgoing.end(await answer.bytes())
    const [head = '', ...body] = (await answer.text()).split(/(?=<body|(?<=<body.*)<\w)/s)
    outgoing.write(head)
    await sleep(1_000) // for the styles
    for (const piece of body.splice(0, cut ? body.length - 10 : 100)) {
      outgoing.write(piece)
      await sleep(20)
    }
    if (cut) outgoing.destroy()
    else outgoing.end(body.join(''))
  })
  await once(server.listen(port, 'localhost'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...started, open: await openAt(t, origin) }
}

t.test('of a page whose connection breaks, people see what has come', { skip }, async (t) => {
  const { open } = await startInPieces(t, { cut: true })
  const page = await open({ hasty: true, expects: ['offline'] })
  await page.clock.install()
  await page.goto('/', { waitUntil: 'commit' }).catch(() => {})
  await comesTrue(page, 'document.querySelector("h1") !== null')
  await page.clock.runFor(10_000)
  await comesTrue(page, 'getComputedStyle(document.getElementById("app")).opacity === "1"')
})

t.test('no part of a page is seen to move while the rest of it arrives', { skip }, async (t) => {
  const { app, open } = await startInPieces(t)
  const { owner } = await startAcme(app)
  const visits = [['/'], ['/sign_in'], ['/acme/members', owner.browser], ['/settings/sessions', owner.browser]] as const
  await Promise.all(
    visits.map(async ([path, as]) => {
      const page = await open({ hasty: true, expects: ['offline'], ...(as && { as }) })
      await page.route(/\.woff2$/, (route) => route.abort()) // which would move words
      await watchShifts(page)
      await page.goto(path)
      await comesTrue(page, 'Boolean(window.isStarted) && !document.querySelector(".skeleton, [aria-busy=true]")')
      t.same(await page.evaluate('shifts'), [], path)
      t.ok(await page.getByRole('heading', { level: 1 }).isVisible())
      t.equal(await page.evaluate('getComputedStyle(document.getElementById("app")).opacity'), '1')
    }),
  )
})
