import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { instrument } from '../../plugins/instrumentation.ts'
import { metricsOfWorkers } from '../../server/metrics.ts'
import { startAcme } from '../helpers/accounts.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { createDatabase } from '../helpers/database.ts'
import { defineReport } from '../helpers/jobs.ts'
import { listen } from '../helpers/listen.ts'
import { signedIn, signedUp } from '../helpers/people.ts'
import { startProxy } from '../helpers/proxy.ts'
import { accountIdentifier, openStream } from '../helpers/sse.ts'

const file = (path: string) => readFile(new URL(`../../docs/monitoring/${path}`, import.meta.url), 'utf8')

async function startMeasured(t: Test, environment: Record<string, string> = {}) {
  const started = await startApp(t, { METRICS_PORT: '0', ...environment })
  const { metrics } = started.app
  if (!metrics) throw new Error('nothing is counted')
  /** The value of a series, with its labels in Prometheus's notation. */
  const reading = async (series: string) => {
    const line = (await metrics.metrics()).split('\n').find((line) => line.startsWith(`${series} `))
    return line && Number(line.slice(series.length + 1))
  }
  return { ...started, metrics, reading }
}

t.test('requests are counted and timed by method, route pattern and status', async (t) => {
  const { app, reading } = await startMeasured(t)
  const { browser } = await signedUp(app)
  const { account } = await startAcme(app)
  await browser.request('GET', `/${account.slug}/members`)
  await browser.request('GET', '/nowhere/at/all')
  await browser.request('GET', '/robots.txt')
  t.equal(await reading('http_requests_total{method="GET",route="/:slug/members",status="404"}'), 1)
  t.equal(await reading('http_requests_total{method="GET",route="unknown",status="404"}'), 1)
  t.equal(await reading('http_requests_total{method="GET",route="/robots.txt",status="200"}'), 1)
  t.equal(await reading('http_request_duration_seconds_count{method="POST",route="/sign_up"}'), 2)
})

t.test('no label contains an id, a slug, an address or a token, whatever is requested', async (t) => {
  const { app, metrics } = await startMeasured(t)
  const { account, owner, join } = await startAcme(app)
  const member = await join('member')
  const { browser } = owner
  const session = (await signedIn(app, owner.person)).page.props.auth.session.id
  const paths = ['', '/members', '/settings', `/members/${member.membershipId}`, '/invitations', '/x/y?sid=secret']
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      await browser.request(method, `/${account.slug}${path}`, { body: { email: 'guest@example.com', role: 'member' } })
    }
  }
  await browser.request('DELETE', `/sessions/${session}`)
  await browser.request('GET', '/invitations/a-token-of-an-invitation')
  await browser.request('GET', '/assets/none-such.js')
  await app.inject({ method: 'PROPFIND' as 'GET', url: '/' })
  await new Browser(app).request('GET', '/%')

  const text = await metrics.metrics()
  for (const secret of [
    'acme',
    session,
    'example.com',
    'a-token',
    'none-such',
    'secret',
    '203.0',
    '198.51',
    'PROPFIND',
  ]) {
    t.notOk(text.includes(secret), secret)
  }
  const routes = new Set(Array.from(text.matchAll(/route="([^"]*)"/g), ([, route]) => route))
  t.ok(routes.has('/:slug') && routes.has('/sessions/:token') && routes.has('/invitations/:token'))
  for (const route of routes) t.notMatch(route, /\d|[()^$]/)
})

t.test('events are counted: security, limits, mails, broadcasts, load shedding and SSR fallbacks', async (t) => {
  const { app, db, reading } = await startMeasured(t)
  const { person } = await signedUp(app)
  const browser = await Browser.open(app)
  for (let count = 0; count < 11; count++) {
    await browser.submit('POST', '/sign_in', { email: person.email, password: 'wrong' })
  }
  t.equal(await reading('security_events_total{event="sign_in",outcome="wrong"}'), 10)
  t.equal(await reading('security_events_total{event="sign_in",outcome="refused"}'), 1)
  t.equal(await reading('limits_hit_total{limit="sign_in"}'), 1)

  t.equal(await reading('job_queue_depth{state="waiting"}'), 1)
  t.equal(await reading('job_queue_depth{state="dead"}'), 0)
  await db.execute(sql`update pgboss.job set start_after = now() - interval '90 s'`)
  const oldest = Number(await reading('job_queue_oldest_seconds'))
  t.ok(oldest >= 90 && oldest < 200, `${oldest} s`)
  await app.jobs.work()
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
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const all = Array.from({ length: 8 }, () => db.transaction(() => held))
  while ((await reading('database_connections_used')) !== 6) await new Promise(setImmediate)
  t.ok(Number(await reading('database_connections_waiting')) >= 2)
  release()
  await Promise.all(all)
  await t.rejects(db.execute('select nonsense'))
  while ((await reading('database_connections_used')) !== 0) await new Promise(setImmediate)
})

t.test('a queue that cannot be read is absent, not 0, whether its database is gone or hangs', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const { app, metrics, reading } = await startMeasured(t, { DATABASE_URL: proxy.url })
  await signedUp(app)
  const oldest = () => reading('job_queue_oldest_seconds')
  const waiting = () => reading('job_queue_depth{state="waiting"}')
  t.same([typeof (await oldest()), await waiting()], ['number', 1])
  for (const trouble of ['cut', 'freeze'] as const) {
    proxy[trouble]()
    t.same([await oldest(), await waiting()], [undefined, undefined], trouble)
    t.ok(await reading('process_start_time_seconds'))
    t.match(await metrics.metrics(), 'nodejs_eventloop_lag_p99_seconds')
    t.equal(await reading('database_connections_waiting'), 0)
    proxy.restore()
    while ((await oldest()) === undefined) await new Promise(setImmediate)
    t.equal(await waiting(), 1)
  }
})

t.test('without METRICS_PORT nothing is counted', async (t) => {
  const { app } = await startApp(t)
  t.equal(app.metrics, undefined)
})

t.test('the dashboard and the alerts use existing series and labels', async (t) => {
  const { metrics } = await startMeasured(t)
  const known = new Map<string, string[]>()
  for (const { name, type } of await metrics.getMetricsAsJSON()) {
    const { labelNames = [] } = metrics.getSingleMetric(name) as unknown as { labelNames?: string[] }
    const suffixes = String(type) === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const suffix of suffixes) known.set(name + suffix, ['le', 'instance', 'job', ...labelNames])
  }
  const ofPrimary = (await metricsOfWorkers([], { expected: 2, restarted: 0 })).matchAll(/^# TYPE (\w+)/gm)
  for (const name of ['up', ...Array.from(ofPrimary, ([, name = '']) => name)]) known.set(name, ['instance', 'job'])
  const alerts = await file('alerts.yml')
  const dashboard = JSON.parse(await file('grafana.json'))
  const ofAlerts = Array.from(alerts.matchAll(/^ +expr: (.+)$/gm), ([, expr = '']) => expr)
  const ofPanels: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  t.ok(ofAlerts.length > 10 && ofPanels.length > 15)
  for (const expr of [...ofAlerts, ...ofPanels]) {
    const names = (expr.replace(/"[^"]*"/g, '').match(/\bup\b|\b[a-z]+_[a-z0-9_]+\b/g) ?? []).filter(
      (name: string) => !isFunction(name),
    )
    t.ok(names.length > 0, expr)
    const labels = names.flatMap((name) => known.get(name) ?? [])
    for (const name of names) t.ok(known.has(name), `${name} of ${expr}`)
    for (const [, by = ''] of expr.matchAll(/by \(([^)]*)\)/g)) {
      for (const label of by.split(', ')) t.ok(labels.includes(label), `${label} of ${expr}`)
    }
    for (const [, label = ''] of expr.matchAll(/[{,] ?([a-z]+)(?:=|!=|=~)"/g))
      t.ok(labels.includes(label), `${label} of ${expr}`)
  }
  const shown = new Set([...ofAlerts, ...ofPanels].join(' ').match(/[a-z]+_[a-z0-9_]+/g))
  for (const name of known.keys()) {
    const own = /^(http|limits|security|live|mails?|ssr|database|metrics|workers)_/.test(name)
    if (own) t.ok(shown.has(name) || name.endsWith('_bucket'), `${name} is shown`)
  }
})

const isFunction = (name: string) => name === 'histogram_quantile'
