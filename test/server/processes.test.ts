import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../development/free-port.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProxy } from '../helpers/proxy.ts'
import { beginSignIn, linesOf, production, serve, workersOf } from '../helpers/server.ts'

t.test('of several processes a dead one is replaced, and all stop together', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const METRICS_PORT = String(await freePort())
  const several = { BIND: '127.0.0.2', WEB_CONCURRENCY: '2', DRAIN_SECONDS: '3', METRICS_PORT }
  const server = await serve(t, { ...production, ...several, DATABASE_URL: proxy.url }, { descriptors: 150 })
  const { get } = server
  const lines = (message: string) => linesOf(server).filter(({ msg }) => msg === message)
  while (lines('started').length < 3) await sleep(20)
  const workers = await workersOf(server)
  t.equal(workers.length, 2)

  await t.test('more connections than file descriptors end none', async (t) => {
    const crowd = Array.from({ length: 400 }, () => connect(server.port, '127.0.0.2').on('error', () => {}))
    const answeredOrClosed = crowd.map((socket) => {
      socket.write('GET /sign_in HTTP/1.1\r\nhost: localhost\r\n\r\n')
      return new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    })
    await Promise.all(answeredOrClosed)
    for (const socket of crowd) socket.destroy()
    while ((await get('/sign_in').catch(() => undefined))?.status !== 200) await sleep(20)
    t.same(await workersOf(server), workers)
    const errors = linesOf(server).filter(({ level }) => level >= 50)
    t.same(errors, [])
  })

  let now: number[] = []
  await t.test('one that is replaced while the database is away waits for it, in one line', async (t) => {
    proxy.cut()
    process.kill(Number(workers[0]), 'SIGKILL')
    while (lines('Waiting for the database of DATABASE_URL (ECONNRESET)').length === 0) await sleep(20)
    proxy.restore()
    while (lines('started').length < 4) await sleep(20)
    t.equal(lines('a process died and is replaced').length, 1)
    t.notMatch(server.output.text, /^ +at /m, 'no stack')
    now = await workersOf(server)
    t.equal(now.length, 2)
    t.notOk(now.includes(workers[0] ?? 0))
  })

  const metrics = `http://127.0.0.2:${METRICS_PORT}/metrics`
  const read = async () => (await fetch(metrics)).text()
  const count = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    )
  /** Metrics in which so many have answered, as a busy one may do too late. */
  const readOf = async (processes: number) => {
    for (;;) {
      const text = await read()
      if (count(text, 'metrics_workers_answered') === processes) return text
    }
  }
  const visits = 'http_requests_total{method="GET",route="unknown",status="404"}'

  await t.test('their metrics are summed up on a separate port', async (t) => {
    for (let count = 0; count < 20; count++) await get('/counted/nowhere')
    t.match((await fetch(metrics)).headers.get('content-type'), /^text\/plain/)
    const text = await readOf(2) // the new process is still starting
    t.equal(count(text, 'metrics_workers_expected'), 2)
    t.equal(count(text, 'workers_restarted_total'), 1)
    t.equal(count(text, visits), 20)
    t.match(text, /^process_start_time_seconds \d+$/m, 'of the supervisor')
    t.match(text, 'nodejs_eventloop_lag_p99_seconds')
    t.equal((await fetch(metrics.replace('/metrics', '/'))).status, 404)
    const outside = await get('/metrics')
    t.equal(outside.headers.get('location'), '/sign_in', 'to everybody else it may as well be an account')
    const elsewhere = fetch(metrics.replace('127.0.0.2', '127.0.0.1'))
    await t.rejects(elsewhere, { cause: { code: 'ECONNREFUSED' } }, 'bound to BIND')
  })

  await t.test('one that hangs is left out, and the others are summed up', async (t) => {
    const before = await readOf(2)
    const hanging = Number(now[0])
    process.kill(hanging, 'SIGSTOP')
    t.teardown(() => process.kill(hanging, 'SIGCONT'))
    for (const _ of ['once', 'and once more']) {
      const text = await readOf(1)
      t.equal(count(text, 'metrics_workers_expected'), 2)
      const memory = count(text, 'process_resident_memory_bytes')
      t.ok(memory > 0 && memory < 1.5 * count(before, 'process_resident_memory_bytes'), 'of one process')
    }
    process.kill(hanging, 'SIGCONT')
    t.equal(count(await readOf(2), visits), 20)
  })

  await t.test('the ids of their requests are unique', async (t) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/up')))
    t.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id') ?? '')).size, 20)
  })

  await t.test('a signal to all of them turns visitors away at once, but late ones are still served', async (t) => {
    while ((await get('/up/ready')).status !== 200);
    const signIns = await Promise.all(Array.from({ length: 4 }, () => beginSignIn(t, server.url)))
    await get('/sign_up') // by then, the others have begun
    const signalledAt = performance.now()
    for (const pid of [server.child.pid, ...now]) process.kill(Number(pid), 'SIGTERM')
    const probe = async () => {
      const response = await get('/up/ready')
      return { code: response.status, said: await response.text() }
    }
    let probed = await probe()
    while (!probed.said.includes('closing')) probed = await probe()
    t.same(probed, { code: 503, said: '{"status":"unready","reason":"closing"}' })
    const finished = signIns.map(({ finish }) => finish())
    t.equal((await get('/sign_in')).status, 200)
    for (const { statusCode } of await Promise.all(finished)) t.equal(statusCode, 302)
    t.equal(await server.exit, 0)
    t.ok(performance.now() - signalledAt >= 3_000, 'after DRAIN_SECONDS')
  })
  for (const pid of now) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })

  await t.test('all of that is logged', async (t) => {
    const own = linesOf(server).filter(({ pid }) => pid === server.child.pid)
    t.match(own, [
      { level: 30, msg: 'metrics are served' },
      { level: 30, msg: 'started', processes: 2 },
      { level: 50, msg: 'a process died and is replaced', process: Number(workers[0]), signal: 'SIGKILL' },
      { level: 30, msg: 'stopping', signal: 'SIGTERM' },
      { level: 30, msg: 'stopped' },
    ])
  })
})
