import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { declaredBy } from '../../development/without/declared.ts'
import { isOf } from '../../development/without/options.ts'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { jobs, privateJobs } from '../../plugins/jobs/queues.ts'
import { collectLines, type Line, listen, rendering, startApp } from '../helpers/app.ts'
import { canRun } from '../helpers/authority.ts'
import { environment } from '../helpers/everything.ts'
import { fillTables } from '../helpers/fill-tables.ts'
import { retryNow, untilAllTried, wake } from '../helpers/jobs.ts'
import { invite, openGuest, password, signedIn, verifiedUp } from '../helpers/people.ts'
import { snapshot } from '../helpers/records.ts'
import { linkIn, startSmtp } from '../helpers/smtp.ts'
import { accountIdentifier, isConfirmed, openStream } from '../helpers/sse.ts'
import { prepareServer } from '../helpers/test-server.ts'
import { withoutOptions } from '../helpers/without.ts'

// The same file is the process in which every option is out: it gets the database of the other one.
const left = process.env.LEFT_DATABASE

const ana = { name: 'Ana', email: 'ana@example.com' }
const ben = { name: 'Ben', email: 'ben@example.com' } // who has no password

if (left) t.test('everybody gets in, and nothing fails', testWithout)
else t.test('data of options that are out hurts nobody, and is all there when they are back', testWith)

async function testWith(t: Test) {
  const server = await prepareServer()
  t.teardown(server.stop)
  const { modules, options, run } = withoutOptions(server)
  const names = options.map(({ name }) => name)
  const declared = declaredBy([...modules.values()].filter(({ file }) => names.some((name) => isOf(name, file))))
  const found = (kind: string) => [...(declared.get(kind) ?? [])]

  const { lines, logTo } = collectLines()
  const { app, db, url } = await startApp(t, environment, { logTo })
  const { browser } = await verifiedUp(app, ana)
  const { user } = await verifiedUp(app, ben)
  await db.delete(sessions).where(eq(sessions.userId, user.id)) // which end with a reset
  await browser.submit('POST', '/accounts', { name: 'Acme' })
  await invite(app, { browser }, '/acme', 'somebody@example.com')
  await fillTables(db, found('tables'))
  await db.update(accounts).set({ requireSecondFactor: true, requireSingleSignOn: true })
  await db.update(memberships).set({ outside: true })
  await db.update(users).set({ secondFactorAt: new Date(), picture: 'a', passkeyHandle: sql`${users.email}` })
  await db.update(users).set({ passwordDigest: null }).where(eq(users.id, user.id))
  await queueAll(db, [...found('jobs'), ...found('mails')])
  for (const type of found('activities'))
    await db.execute(sql`insert into activities (type, user_id, actor_id, account_id, details) values
      (${type}, 1, 1, 1, '{}')`)
  const boss = await app.jobs.boss()
  for (const job of found('jobs')) await boss.schedule(jobs, '* * * * *', { job }, { key: job })

  const kept = () => snapshot(db, ...found('tables'))
  const before = await kept()
  t.ok(
    before.every((rows) => rows.length > 0),
    'every table of theirs has rows',
  )
  t.equal(await run(names, ['test/development/left-data.test.ts'], { LEFT_DATABASE: url }), undefined)
  t.same(await kept(), before)
  t.same(errorsIn(lines), [])
}

const errorsIn = (lines: Line[]) => lines.filter(({ level }) => level >= 50)

/** Each as it was just queued, before its last try, and as a private one. */
async function queueAll(db: Database, names: string[]) {
  for (const job of names) {
    const data = JSON.stringify({ job, userId: 1, activityId: 1, email: ana.email })
    await db.execute(sql`insert into pgboss.job (name, data, retry_limit) values
      (${jobs}, ${data}::jsonb, 8), (${jobs}, ${data}::jsonb, 0), (${privateJobs}, ${data}::jsonb, 8)`)
  }
}

async function testWithout(t: Test) {
  const smtp = await startSmtp(t)
  const { lines, logTo } = collectLines()
  const given = { ...smtp.environment, ...rendering, DATABASE_URL: left ?? '', METRICS_PORT: '0' }
  const { app, db } = await startApp(t, given, { logTo })
  await listen(app)
  await app.jobs.startWorkers()
  const readings = []
  while ((await app.jobs.backlog()).waiting > 0) {
    await retryNow(db)
    await wake(db, privateJobs)
    await untilAllTried(db)
    readings.push(await readingOf(app))
  }
  t.equal((await app.jobs.backlog()).dead, 0)
  const { rows } = await db.execute(sql`select key from pgboss.schedule`)
  t.same(rows, [{ key: 'sweep' }])

  t.match((await (await openGuest(app)).document('/sign_in')).html, /autocomplete="username"/i)
  const { browser, page } = await signedIn(app, { email: ana.email, password })
  t.equal(page.component, 'accounts/show')
  for (const path of ['/acme/activity', '/settings/activity', '/settings/sessions'])
    t.equal((await browser.request('GET', path)).statusCode, 200, path)
  for (const path of ['/acme', '/acme/members', '/acme/settings', '/settings/security', '/settings/profile']) {
    const { statusCode, body } = await browser.send('GET', path)
    t.equal(statusCode, 200)
    t.match(body, /<h1/, `${path} is rendered`)
    t.notMatch(body, /two-factor|second factor|a passkey|webauthn|single sign-on/i, `${path} names nothing that is out`)
  }
  await openStream(t, app, browser, [accountIdentifier('acme')]).then((stream) => stream.next(isConfirmed))
  const { text = '' } = await smtp.next('New sign-in to Acme Accounts')
  t.notMatch(text, /second step/)
  const guest = await openGuest(app)
  await guest.submit('POST', '/identity/password_reset', { email: ben.email })
  const { pathname, search } = new URL(linkIn(await smtp.next('Reset your password')))
  const { sid } = (await guest.visit(pathname + search)).props
  await guest.submit('PATCH', '/identity/password_reset', { sid, password, password_confirmation: password })
  t.equal((await signedIn(app, { email: ben.email, password })).page.component, 'accounts/show', 'after a reset')
  await invite(app, { browser }, '/acme', 'new@example.com')
  t.notMatch((await smtp.next('Ana invited you to Acme on Acme Accounts')).text, /two-factor/)

  t.same(errorsIn(lines), [])
  readings.push(await readingOf(app))
  if (canRun('promtool', '--version')) await noneFires(t, readings)
}

/** What is counted, by series, without what depends on the machine. */
async function readingOf({ metrics }: FastifyInstance) {
  for (;;) {
    const text = (await metrics?.metrics()) ?? ''
    const series = text.matchAll(/^((?:job_queue|jobs|mails|security|limits|log_lines)_[^ ]+) (\S+)$/gm)
    const reading = new Map(Array.from(series, ([, name = '', value = '']) => [name, value]))
    if (reading.has('job_queue_depth{state="waiting"}')) return reading // which a busy database may say too late
  }
}

/** Whether no alert fires, those of the options included, if each reading lasts for twenty minutes. */
async function noneFires(t: Test, readings: Map<string, string>[]) {
  const names = new Set(readings.flatMap((reading) => [...reading.keys()]))
  const series = [...names].map((name) => ({
    series: name.replace(/\{(.*)\}|$/, (_, labels = '') => `{job="accounts",${labels}}`),
    values: readings.map((reading) => (reading.has(name) ? `${reading.get(name)}x39` : '_x40')).join(' '),
  }))
  const tests = {
    rule_files: globSync('docs/monitoring/**/alerts.yml').map((file) => resolve(file)),
    tests: [
      {
        interval: '30s',
        input_series: [{ series: 'up{job="accounts"}', values: `1x${readings.length * 40}` }, ...series],
        promql_expr_test: readings.map((_, at) => ({
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${at * 20 + 19}m`,
        })),
      },
    ],
  }
  const file = join(t.testdir({ 'alerts.test.json': JSON.stringify(tests) }), 'alerts.test.json')
  await t.resolves(promisify(execFile)('promtool', ['test', 'rules', file]))
}
