import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../development/free-port.ts'
import type { Line } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProxy, startStopwatch } from '../helpers/proxy.ts'
import { production, startServer, untilUp } from '../helpers/server.ts'

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))

t.test('the server boots on an empty database, says where it is, and stops by each signal', async (t) => {
  for (const [signal, MAILER_HOST] of [
    ['SIGTERM', '127.0.0.1'],
    ['SIGINT', ''],
    ['SIGHUP', '127.0.0.1'],
  ] as const) {
    const server = await startServer(t, { APP_NAME: 'Acme', SIGN_UP: 'invitation_only', MAILER_HOST })
    await untilUp(server)
    server.child.kill(signal)
    t.equal(await server.exit, 0, signal)
    t.equal(server.output.text.includes('MAILER_HOST is not set'), MAILER_HOST === '', 'warns without a mail server')
    for (const line of [
      'Acme is running',
      `http://localhost:${server.port}`,
      'Database',
      'Mail',
      'by invitation only',
    ]) {
      t.match(server.output.text, line)
    }
  }
})

t.test('a server that is stopped while it starts ends without an error, at whatever point', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  await untilUp(await startServer(t, { ...production, DATABASE_URL }))
  for (const later of [0, 10, 20, 40, 80, 160]) {
    const server = await startServer(t, { ...production, DATABASE_URL })
    await untilUp(server) // which is not the end of a start: mails and jobs follow
    await sleep(later)
    server.child.kill('SIGTERM')
    t.equal(await server.exit, 0)
    for (const line of server.output.text.trim().split('\n')) t.ok(JSON.parse(line).level < 50, line)
  }
})

t.test('a taken port is one clear line', async (t) => {
  const port = await freePort()
  const other = await listen(port)
  t.teardown(() => other.close())
  const server = await startServer(t, { PORT: String(port) })
  t.equal(await server.exit, 1)
  t.equal(server.output.text.trim(), `Port ${port} is taken: stop what listens there, or set PORT to another one`)
})

t.test('SIGTERM under load aborts no request, and start and end are logged', async (t) => {
  const server = await startServer(t, production)
  await untilUp(server)
  const faults: unknown[] = []
  const reset: string[] = []
  let answered = 0
  let sent = 0
  const visit = async () => {
    for (;;) {
      const id = `visit-${++sent}`
      try {
        const headers = { connection: 'close', 'x-request-id': id }
        const response = await fetch(`${server.url}/sign_in`, { headers })
        await response.text()
        if (response.status !== 200) faults.push(response.status)
        answered++
      } catch (error) {
        const { code } = (error as { cause?: { code?: string } }).cause ?? {}
        if (code === 'ECONNREFUSED') return // the server no longer listens
        if (code === 'ECONNRESET') reset.push(id)
        else faults.push(code)
        return
      }
    }
  }
  const visitors = Array.from({ length: 8 }, visit)
  while (answered < 50) await new Promise((resolve) => setTimeout(resolve, 5))
  server.child.kill('SIGTERM')
  await Promise.all(visitors)
  t.equal(await server.exit, 0)
  t.same(faults, [])
  const lines = linesOf(server)
  const seen = new Set(lines.map(({ reqId }) => reqId))
  t.ok(seen.has('visit-1'))
  t.same(
    reset.filter((id) => seen.has(id)),
    [],
    'whoever was reset still waited in the backlog: the server never saw the request',
  )
  t.match(
    lines.find(({ msg }) => msg === 'started'),
    { level: 30, version, node: process.versions.node },
  )
  t.match(
    lines.find(({ msg }) => msg === 'stopping'),
    { level: 30, signal: 'SIGTERM' },
  )
  t.match(lines.at(-1), { msg: 'stopped' })
})

t.test('a request in progress at SIGTERM is answered, and its connection does not hold up the shutdown', async (t) => {
  const server = await startServer(t, production)
  await untilUp(server)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const page = await fetch(`${server.url}/sign_in`)
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '')
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' })
  const headers = {
    cookie: cookies.join('; '),
    'x-xsrf-token': decodeURIComponent(token ?? ''),
    'content-type': 'application/json',
    'content-length': body.length,
    'x-request-id': 'in-progress',
  }
  const sent = request(`${server.url}/sign_in`, { method: 'POST', agent, headers })
  sent.write(body.slice(0, 9))
  const answered = once(sent, 'response')
  await once(sent, 'socket')
  await fetch(`${server.url}/sign_up`, { headers: { connection: 'close' } }) // by then, the other has begun
  server.child.kill('SIGTERM')
  while (!server.output.text.includes('"msg":"stopping"')) await new Promise((resolve) => setTimeout(resolve, 5))
  sent.end(body.slice(9))
  const [response] = await answered
  response.resume()
  t.equal(response.statusCode, 302)
  t.equal(response.headers.connection, 'close')
  t.equal(await server.exit, 0, 'not forced')
})

t.test('a connection on which no request has come does not hold up the shutdown', async (t) => {
  const server = await startServer(t, production)
  await untilUp(server)
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  server.child.kill('SIGTERM')
  t.equal(await server.exit, 0, 'not forced')
})

t.test('of several processes a dead one is replaced, and all stop together', async (t) => {
  const metricsPort = String(await freePort())
  const settings = {
    ...production,
    BIND: '127.0.0.2',
    WEB_CONCURRENCY: '2',
    DRAIN_SECONDS: '3',
    METRICS_PORT: metricsPort,
  }
  const server = await startServer(t, settings)
  await untilUp(server)
  const workers = await childrenOf(server.child)
  t.equal(workers.length, 2)
  process.kill(Number(workers[0]), 'SIGKILL')
  let now: string[] = []
  while (now.length < 2 || now.includes(workers[0] ?? '')) now = await childrenOf(server.child)
  await untilUp(server)

  await t.test('their metrics are summed up on a separate port', async (t) => {
    for (let count = 0; count < 20; count++) {
      await fetch(`${server.url}/counted/nowhere`, { headers: { connection: 'close' } })
    }
    const metrics = `http://127.0.0.2:${metricsPort}/metrics`
    const response = await fetch(metrics)
    t.match(response.headers.get('content-type'), /^text\/plain/)
    let text = await response.text()
    // the new process is still starting
    while (!/^metrics_workers_answered 2$/m.test(text)) text = await (await fetch(metrics)).text()
    t.match(text, /^metrics_workers_expected 2$/m)
    t.match(text, /^workers_restarted_total 1$/m)
    t.match(text, /^process_start_time_seconds \d+$/m, 'of the supervisor')
    t.match(text, 'http_requests_total{method="GET",route="unknown",status="404"} 20')
    t.match(text, 'nodejs_eventloop_lag_p99_seconds')
    t.equal((await fetch(metrics.replace('/metrics', '/'))).status, 404)
    const outside = await fetch(`${server.url}/metrics`, { redirect: 'manual' })
    t.equal(outside.headers.get('location'), '/sign_in', 'to everybody else it may as well be an account')
    const elsewhere = fetch(metrics.replace('127.0.0.2', '127.0.0.1'))
    await t.rejects(elsewhere, { cause: { code: 'ECONNREFUSED' } }, 'bound to BIND')
  })

  await t.test('one that hangs is left out, and the others are summed up', async (t) => {
    const read = async () => (await fetch(`http://127.0.0.2:${metricsPort}/metrics`)).text()
    const count = (text: string, name: string) => Number(lineOf(text, name)?.slice(name.length))
    const visits = 'http_requests_total{method="GET",route="unknown",status="404"}'
    const before = await read()
    const [hanging = ''] = now
    process.kill(Number(hanging), 'SIGSTOP')
    t.teardown(() => process.kill(Number(hanging), 'SIGCONT'))
    for (const _ of ['once', 'and once more']) {
      const text = await read()
      t.equal(count(text, 'metrics_workers_answered'), 1)
      t.equal(count(text, 'metrics_workers_expected'), 2)
      const memory = count(text, 'process_resident_memory_bytes')
      t.ok(memory > 0 && memory < 1.5 * count(before, 'process_resident_memory_bytes'), 'of one process')
    }
    process.kill(Number(hanging), 'SIGCONT')
    while (count(await read(), 'metrics_workers_answered') < 2);
    t.equal(count(await read(), visits), 20)
  })

  await t.test('the ids of their requests are unique', async (t) => {
    const visit = () => fetch(`${server.url}/up`, { headers: { connection: 'close' } })
    const answers = await Promise.all(Array.from({ length: 20 }, visit))
    const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id') ?? ''))
    t.equal(ids.size, 20)
  })

  await t.test('/up/ready turns visitors away at once, but late ones are still served', async (t) => {
    const visit = (path: string) => fetch(server.url + path, { headers: { connection: 'close' } })
    while ((await visit('/up/ready')).status !== 200);
    server.child.kill('SIGTERM')
    let ready = await visit('/up/ready')
    while (ready.status === 200) ready = await visit('/up/ready')
    t.same(await ready.json(), { status: 'unready', reason: 'closing' })
    t.equal((await visit('/sign_in')).status, 200)
  })
  t.equal(await server.exit, 0)
  for (const pid of now) t.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })

  await t.test('all of that is logged', async (t) => {
    const own = linesOf(server).filter(({ pid }) => pid === server.child.pid)
    t.match(own, [
      { level: 30, msg: 'started', processes: 2 },
      { level: 50, msg: 'a process died and is replaced', process: Number(workers[0]), signal: 'SIGKILL' },
      { level: 30, msg: 'stopping', signal: 'SIGTERM' },
      { level: 30, msg: 'stopped' },
    ])
  })
})

t.test('a log that is full or that nobody reads loses lines, and holds up nothing', async (t) => {
  const pipe = `${t.testdir()}/log`
  execFileSync('mkfifo', [pipe])
  for (const [file, WEB_CONCURRENCY] of [
    ['/dev/full', '1'],
    [pipe, '2'],
  ] as const) {
    const log = openSync(file, 'r+') // a pipe keeps its reader until then, which never reads
    t.teardown(() => closeSync(log))
    const server = await startServer(t, { ...production, WEB_CONCURRENCY }, log)
    await untilUp(server)
    // each is a line of half a kilobyte
    const headers = { 'x-request-id': 'x'.repeat(64) }
    const visit = () => fetch(`${server.url}/${'nowhere/'.repeat(25)}`, { method: 'HEAD', headers })
    for (let count = 0; count < 1_000; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, visit))
      t.ok(answers.every(({ status }) => status === 404))
    }
    server.child.kill('SIGTERM')
    t.equal(await server.exit, 0, 'not forced')
  }
})

t.test('a database that no longer responds does not delay shutdown for more than ten seconds', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const server = await startServer(t, { ...production, DATABASE_URL: proxy.url, WEB_CONCURRENCY: '2' })
  await untilUp(server)
  proxy.freeze()
  fetch(`${server.url}/up/ready`).catch(() => {}) // a query without a response
  const seconds = startStopwatch(t)
  server.child.kill('SIGTERM')
  await server.exit
  t.ok(seconds() < 10)
  proxy.cut()
})

const linesOf = ({ output }: { output: { text: string } }): Line[] =>
  output.text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(`${start} `))

async function childrenOf({ pid }: ChildProcess) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean)
}

function listen(port: number) {
  return new Promise<Server>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
