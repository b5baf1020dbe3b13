import t from 'tap'
import { collectLines, sharedApp, startApp } from './helpers/app.ts'
import { createDatabase } from './helpers/database.ts'
import { signedUp } from './helpers/people.ts'
import { operatorOf } from './helpers/postgres.ts'
import { startProxy, startStopwatch } from './helpers/proxy.ts'

t.test('the health page is green HTML under the security policy, or JSON if the client prefers it', async (t) => {
  const { app } = await sharedApp(t)
  const { statusCode, headers, body } = await app.inject({ url: '/up', headers: { accept: 'text/html' } })
  t.same([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.match(body, 'background: light-dark(green, ')
  const nonce = /<style nonce="([^"]+)">/.exec(body)?.[1]
  t.match(headers['content-security-policy'], `style-src 'self' 'nonce-${nonce}'`)
  t.notMatch(body, / style=/, 'an inline attribute would need an exception')

  const response = await app.inject({ url: '/up', headers: { accept: 'application/json' } })
  t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  const { status, timestamp } = response.json()
  t.same([status, timestamp], ['up', new Date(timestamp).toISOString()])
})

t.test('the health check varies by Accept alone, answers HEAD and any browser, and sets no cookie', async (t) => {
  const { app } = await sharedApp(t)
  for (const accept of ['text/html', 'application/json', '*/*']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const outdated = { accept, 'accept-language': 'de', 'user-agent': 'MSIE 8.0; Trident/4.0' }
      const { statusCode, headers } = await app.inject({ method, url: '/up', headers: outdated })
      t.same([statusCode, headers.vary, headers['set-cookie']], [200, 'Accept', undefined])
      t.not(headers['content-language'], 'de', 'the status page is in English')
    }
  }
})

t.test('the health checks are not logged, and /up does not query the database', async (t) => {
  const { lines, logTo } = collectLines()
  const { app } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
  lines.splice(0)
  await app.inject('/up/ready')
  await app.db.close()
  const { statusCode, headers } = await app.inject('/up')
  t.equal(statusCode, 200)
  t.match(headers['server-timing'], '0 queries')
  t.same(lines, [])
})

for (const trouble of ['cut', 'freeze'] as const) {
  t.test(`a process is ready, and reports within two seconds that its database is not (${trouble})`, async (t) => {
    const proxy = await startProxy(t, await createDatabase(t))
    const { app } = await startApp(t, { DATABASE_URL: proxy.url })
    const probe = async () => {
      const { statusCode, headers, body } = await app.inject('/up/ready')
      t.match(headers, { 'cache-control': /^no-store$/, 'content-type': /^application\/json/ })
      return [statusCode, body]
    }
    t.same(await probe(), [200, '{"status":"ready"}'])
    proxy[trouble]()
    const seconds = startStopwatch(t)
    for (const probed of await Promise.all([probe(), probe()])) t.same(probed, unready)
    t.ok(seconds() < 2)
    t.equal((await app.inject('/up')).statusCode, 200, 'it is alive all the same')
    proxy.cut()
  })
}

const unready = [503, '{"status":"unready","reason":"database"}']

t.test('a database that takes no writes is not ready, and is again as soon as it takes them', async (t) => {
  const { app, db, url } = await startApp(t)
  const { browser } = await signedUp(app)
  const operator = operatorOf(t, url)
  const database = new URL(url).pathname.slice(1)
  const rename = async () => {
    await browser.request('PATCH', '/settings/profile', { body: { name: 'Grace' } })
    return (await browser.visit('/settings/profile')).flash?.notice === 'Your profile has been updated'
  }
  await operator.unsafe(`alter database "${database}" set default_transaction_read_only = on`)
  await operator`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await Promise.all(Array.from({ length: 12 }, () => db.execute('select pg_sleep(0.05)').catch(() => {})))
  for (const _ of ['once', 'and still']) {
    const response = await app.inject('/up/ready')
    t.same([response.statusCode, response.body], unready)
  }
  t.equal(await rename(), false)
  await operator.unsafe(`alter database "${database}" reset default_transaction_read_only`)

  const outcomes: number[] = []
  for (let probe = 0; probe < 12; probe++) outcomes.push((await app.inject('/up/ready')).statusCode)
  t.same(outcomes.slice(6), Array(6).fill(200), 'each connection tells it once at most')
  for (let write = 0; write < 6; write++) t.equal(await rename(), true)
})
