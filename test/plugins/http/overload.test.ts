import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { lateness } from '../../../plugins/http/overload.ts'
import { startApp } from '../../helpers/app.ts'

t.test('a process whose event loop is late refuses pages until it is not, but no health checks', async (t) => {
  const { app } = await startApp(t, { METRICS_PORT: '0' }, { maxEventLoopDelayMs: 1_000 })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const visit = (path: string, accept = 'text/html') => fetch(address + path, { headers: { accept } })
  let page = await visit('/sign_in')
  for (let tries = 0; page.status === 200 && tries < 20; tries++) {
    block(1_300)
    page = await visit('/sign_in')
  }
  t.equal(page.status, 503)
  t.match(page.headers.get('retry-after'), /^\d+$/)
  t.match(await page.text(), /<!doctype html>/i)
  t.same(await (await visit('/sign_in', 'application/json')).json(), { status: 503, error: 'Service Unavailable' })
  for (const path of ['/up', '/up/ready']) t.equal((await visit(path)).status, 200, path)
  t.match(await app.metrics?.metrics(), /^http_requests_refused_total\{reason="late"\} \d$/m)
  while ((await visit('/sign_in')).status === 503) await sleep(50)
})

t.test('a single spike refuses nothing, not even the one of the start', async (t) => {
  const staysLate = lateness(1_000)
  const started = 3_000
  t.equal(staysLate(started), false)
  t.equal(staysLate(started + 1_500), false)
  t.equal(staysLate(started + 1_600), true)
  t.equal(staysLate(started + 60_000), false, 'nor one that follows much later')
})

function block(milliseconds: number) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}
