import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { instrument } from '../../plugins/instrumentation.ts'
import { metricsOfWorkers, serveMetrics } from '../../server/metrics.ts'
import { ending, shutDown } from '../../server/shutdown.ts'
import { collectLines, listen, sharedApp, startApp } from '../helpers/app.ts'
import { canRun } from '../helpers/authority.ts'
import { Browser } from '../helpers/browser.ts'
import { defineReport } from '../helpers/jobs.ts'
import { signedIn, signedUp, signUpByForm, startAcme } from '../helpers/people.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

const noPromtool = canRun('promtool', '--version') ? false : 'promtool is not installed'

const file = (path: string) => readFile(new URL(`../../docs/monitoring/${path}`, import.meta.url), 'utf8')

async function startMeasured(t: Test) {
  const started = await startApp(t, { METRICS_PORT: '0' })
  const { metrics } = started.app
  if (!metrics) throw new Error('nothing is counted')
  /** The value of a series, with its labels in Prometheus's notation. */
  const reading = async (series: string) => {
    for (;;) {
      const line = (await metrics.metrics()).split('\n').find((line) => line.startsWith(`${series} `))
      if (line) return Number(line.slice(series.length + 1))
      if (!series.startsWith('job_queue_')) return undefined // those a busy database may say too late
    }
  }
  return { ...started, metrics, reading }
}

t.test('requests are counted and timed by method, route pattern and status, with METRICS_PORT alone', async (t) => {
  t.equal((await sharedApp(t)).app.metrics, undefined)
  const { app, reading } = await startMeasured(t)
  const { browser } = await signUpByForm(app)
  const { account } = await startAcme(app)
  await browser.request('GET', `/${account.slug}/members`)
  for (const path of ['/nowhere/at/all', '/robots.txt']) await browser.request('GET', path)
  t.equal(await reading('http_requests_total{method="GET",route="/:slug/members",status="404"}'), 1)
  t.equal(await reading('http_requests_total{method="GET",route="unknown",status="404"}'), 1)
  t.equal(await reading('http_requests_total{method="GET",route="/robots.txt",status="200"}'), 1)
  t.equal(await reading('http_request_duration_seconds_count{method="POST",route="/sign_up"}'), 1)
})

t.test('no label contains an id, a slug, an address or a token, whatever is requested', async (t) => {
  const { app, metrics } = await startMeasured(t)
  const { account, owner, join } = await startAcme(app)
  const member = await join('member')
  const { browser } = owner
  const session = (await signedIn(app, owner.person)).page.props.auth.session.id
  const paths = ['', '/members', '/settings', `/members/${member.membershipId}`, '/invitations', '/x/y?sid=secret']
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      await browser.request(method, `/${account.slug}${path}`, { body: { email: 'guest@example.com', role: 'member' } })
  }
  await browser.request('DELETE', `/sessions/${session}`)
  await browser.request('GET', '/invitations/a-token-of-an-invitation')
  await browser.request('GET', '/assets/none-such.js')
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/' })
  await new Browser(app).request('GET', '/%')

  const text = await metrics.metrics()
  const values = ['acme', session, 'example.com', 'a-token', 'none-such', 'secret', '203.0', '198.51', 'PROPFIND']
  for (const value of values) t.notOk(text.includes(value), value)
  const routes = new Set(Array.from(text.matchAll(/route="([^"]*)"/g), ([, route]) => route))
  t.ok(routes.has('/:slug') && routes.has('/sessions/:token') && routes.has('/invitations/:token'))
  for (const route of routes) t.notMatch(route, /\d|[()^$]/)
})

t.test('events are counted: security, limits, mails, broadcasts, load shedding and SSR fallbacks', async (t) => {
  const { app, db, reading } = await startMeasured(t)
  const failed = ['jobs_total{outcome="given_up"}', 'mails_total{outcome="failed"}']
  for (const series of [...failed, 'security_events_total{event="sign_in",outcome="wrong"}'])
    t.equal(await reading(series), 0, 'so that the first one is an increase')
  const { person } = await signedUp(app)
  const browser = await Browser.open(app)
  const wrong = { email: person.email, password: 'wrong' }
  for (let count = 0; count < 11; count++) await browser.submit('POST', '/sign_in', wrong)
  t.equal(await reading('security_events_total{event="sign_in",outcome="wrong"}'), 10)
  t.equal(await reading('security_events_total{event="sign_in",outcome="refused"}'), 1)
  t.equal(await reading('limits_hit_total{limit="sign_in"}'), 1)

  t.equal(await reading('job_queue_depth{state="waiting"}'), 1)
  t.equal(await reading('job_queue_depth{state="dead"}'), 0)
  await db.execute(sql`update pgboss.job set start_after = now() - interval '90 s'`)
  const oldest = Number(await reading('job_queue_oldest_seconds'))
  t.ok(oldest >= 90 && oldest < 200, `${oldest} s`)
  await app.jobs.startWorkers()
  while (!(await reading('mails_total{outcome="dropped"}'))) await new Promise(setImmediate)
  t.equal(await reading('mails_total{outcome="dropped"}'), 1)

  await defineReport(app, () => Promise.reject(new Error('broken')))('Acme')
  while (!(await reading('jobs_total{outcome="failed"}'))) await new Promise(setImmediate)
  t.equal(await reading('job_queue_depth{state="dead"}'), 0)

  const before = Number(await reading('live_broadcasts_total'))
  const acme = await startAcme(app)
  await acme.owner.browser.submit('PATCH', '/acme/settings', { name: 'Acme Ltd' })
  t.ok(Number(await reading('live_broadcasts_total')) > before)

  t.equal(await reading('live_streams_open'), 0)
  await listen(app)
  await openStream(t, app, acme.owner.browser, [accountIdentifier('acme')])
  t.equal(await reading('live_streams_open'), 1)

  for (const reason of ['late', 'full'] as const) instrument('refusal', { reason })
  instrument('ssr_fallback', {})
  t.equal(await reading('http_requests_refused_total{reason="full"}'), 1)
  t.equal(await reading('ssr_fallbacks_total'), 1)
})

t.test('used connections and waiting queries are separate', async (t) => {
  const { db, reading } = await startMeasured(t)
  t.equal(await reading('database_connections_used'), 0)
  const { promise, resolve } = Promise.withResolvers<void>()
  const all = Array.from({ length: 8 }, () => db.transaction(() => promise))
  while ((await reading('database_connections_used')) !== 6) await new Promise(setImmediate)
  t.ok(Number(await reading('database_connections_waiting')) >= 2)
  resolve()
  await Promise.all(all)
  await t.rejects(db.execute('select nonsense'))
  while ((await reading('database_connections_used')) !== 0) await new Promise(setImmediate)
})

t.test('the dashboard and the alerts use existing series', async (t) => {
  const { metrics } = await startMeasured(t)
  const text = (await metrics.metrics()) + (await metricsOfWorkers([], { expected: 2, restarted: 0 }))
  const known = new Set(['up', ...Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name)])
  const files = await Promise.all(globSync('**/alerts.yml', { cwd: 'docs/monitoring' }).map(file))
  const alerts = Array.from(files.join('').matchAll(/^ +expr: (.+)$/gm), ([, expr = '']) => expr)
  const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(await file('grafana.json'))
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  t.ok(alerts.length > 10 && panels.length > 15)
  for (const expr of [...alerts, ...panels]) {
    const names = expr.replace(/"[^"]*"/g, '').match(/\bup\b|\b[a-z]+_[a-z0-9_]+\b/g) ?? []
    for (const name of names.filter((each) => each !== 'histogram_quantile')) {
      t.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), `${name} of ${expr}`)
    }
  }
})

t.test('the alerts fire for what they say', { skip: noPromtool }, async (t) => {
  for (const tests of globSync('docs/monitoring/**/alerts.test.yml'))
    await t.resolves(promisify(execFile)('promtool', ['test', 'rules', tests]), tests)
})

t.test('metrics that cannot be read are answered with 500, and end nothing', async (t) => {
  const metricsPort = await freePort()
  const config = { metricsPort, bind: '127.0.0.1' }
  let isBroken = true
  await serveMetrics(config, async () => {
    if (isBroken) throw new Error('broken')
    return 'up 1'
  })
  t.teardown(() => shutDown())
  const read = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  t.equal((await read()).status, 500)
  isBroken = false
  t.equal(await (await read()).text(), 'up 1')
})

t.test('the port that METRICS_PORT=0 finds is named in the log', async (t) => {
  const { lines, logTo } = collectLines()
  ending.log = Fastify({ logger: loggerOptions({ level: 'info', pretty: false, to: logTo }) }).log
  await serveMetrics({ metricsPort: 0, bind: '127.0.0.1' }, async () => 'up 1')
  t.teardown(() => {
    delete ending.log
    return shutDown()
  })
  const served = lines.find(({ msg }) => msg === 'metrics are served')
  t.equal(await (await fetch(`http://${served?.address}:${served?.port}/metrics`)).text(), 'up 1')
})
