import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import type { Line } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProxy, startStopwatch } from '../helpers/proxy.ts'
import { production, startServer, untilUp } from '../helpers/server.ts'
import { headerOf, visit } from '../helpers/visitor.ts'

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))

/** A server that is up. */
async function serve(...settings: Parameters<typeof startServer>) {
  const server = await startServer(...settings)
  await untilUp(server)
  const get = (path: string, headers = {}) =>
    fetch(server.url + path, { headers: { connection: 'close', ...headers }, redirect: 'manual' })
  return { ...server, get }
}

t.test('the server boots on an empty database, says where it is, and stops by each signal', async (t) => {
  for (const [signal, MAILER_HOST] of Object.entries({ SIGTERM: '127.0.0.1', SIGINT: '', SIGHUP: '127.0.0.1' })) {
    const server = await serve(t, { APP_NAME: 'Acme', SIGN_UP: 'invitation_only', MAILER_HOST })
    server.child.kill(signal as 'SIGTERM')
    t.equal(await server.exit, 0, signal)
    t.equal(server.output.text.includes('MAILER_HOST is not set'), MAILER_HOST === '', 'warns without a mail server')
    const lines = ['Acme is running', `http://localhost:${server.port}`, 'Database', 'Mail', 'by invitation only']
    for (const line of lines) t.match(server.output.text, line)
  }
})

t.test('a server that is stopped while it starts ends without an error, at whatever point', async (t) => {
  const DATABASE_URL = await createDatabase(t)
  await serve(t, { ...production, DATABASE_URL })
  for (const later of [0, 10, 20, 40, 80, 160]) {
    const server = await serve(t, { ...production, DATABASE_URL }) // not the end of a start: mails and jobs follow
    await sleep(later)
    server.child.kill('SIGTERM')
    t.equal(await server.exit, 0)
    for (const line of server.output.text.trim().split('\n')) t.ok(JSON.parse(line).level < 50, line)
  }
})

t.test('a taken port is one clear line', async (t) => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const server = await startServer(t, { PORT: String(port) })
  t.equal(await server.exit, 1)
  t.equal(server.output.text.trim(), `Port ${port} is taken: stop what listens there, or set PORT to another one`)
})

t.test('SIGTERM under load aborts no request, and start and end are logged', async (t) => {
  const server = await serve(t, production)
  const faults: unknown[] = []
  const reset: string[] = []
  let answered = 0
  let sent = 0
  const visitUntilItStops = async () => {
    for (;;) {
      const id = `visit-${++sent}`
      try {
        const response = await server.get('/sign_in', { 'x-request-id': id })
        await response.text()
        if (response.status !== 200) faults.push(response.status)
        answered++
      } catch (error) {
        const { code } = (error as { cause?: { code?: string } }).cause ?? {}
        if (code === 'ECONNRESET') reset.push(id)
        else if (code !== 'ECONNREFUSED') faults.push(code) // which says that the server no longer listens
        return
      }
    }
  }
  const visitors = Array.from({ length: 8 }, visitUntilItStops)
  while (answered < 50) await sleep(5)
  server.child.kill('SIGTERM')
  await Promise.all(visitors)
  t.equal(await server.exit, 0)
  t.same(faults, [])
  const lines = linesOf(server)
  const seen = new Set(lines.map(({ reqId }) => reqId))
  t.ok(seen.has('visit-1'))
  const lost = reset.filter((id) => seen.has(id))
  t.same(lost, [], 'whoever was reset still waited in the backlog: the server never saw the request')
  const lineOf = (message: string) => lines.find(({ msg }) => msg === message)
  t.match(lineOf('started'), { level: 30, version, node: process.versions.node })
  t.match(lineOf('stopping'), { level: 30, signal: 'SIGTERM' })
  t.match(lines.at(-1), { msg: 'stopped' })
})

t.test('a request in progress at SIGTERM is answered, and no open connection holds up the shutdown', async (t) => {
  const server = await serve(t, production)
  const signIn = await beginSignIn(t, server.url)
  await server.get('/sign_up') // by then, the other has begun
  const head = 'POST /sign_in HTTP/1.1\r\nhost: localhost\r\n'
  const whole = 'GET /up HTTP/1.1\r\nhost: localhost\r\n\r\n'
  for (const beginning of ['', head, whole + head, `${head}content-length: 900\r\n\r\n`])
    await open(t, server, beginning)
  const seconds = startStopwatch(t)
  server.child.kill('SIGTERM')
  while (!server.output.text.includes('"msg":"stopping"')) await sleep(5)
  server.child.kill('SIGTERM') // as npm does, when the whole group is signalled
  const response = await signIn.finish()
  t.equal(response.statusCode, 302)
  t.equal(response.headers.connection, 'close')
  t.equal(await server.exit, 0, 'not forced')
  t.ok(seconds() < 3, 'two seconds, and one for a busy machine')
})

/** Opens a connection that begins so, and then goes on for ever, one byte at a time. */
async function open(t: Test, { port }: { port: number }, beginning: string) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  if (beginning === '') return
  socket.write(beginning)
  const trickle = setInterval(() => socket.write('x'), 50)
  t.teardown(() => clearInterval(trickle))
  socket.on('close', () => clearInterval(trickle))
}

t.test('of several processes a dead one is replaced, and all stop together', async (t) => {
  const METRICS_PORT = String(await freePort())
  const several = { BIND: '127.0.0.2', WEB_CONCURRENCY: '2', DRAIN_SECONDS: '3', METRICS_PORT }
  const server = await serve(t, { ...production, ...several })
  const { get } = server
  const workers = await childrenOf(server.child)
  t.equal(workers.length, 2)
  process.kill(Number(workers[0]), 'SIGKILL')
  let now: string[] = []
  while (now.length < 2 || now.includes(workers[0] ?? '')) now = await childrenOf(server.child)
  await untilUp(server)

  const metrics = `http://127.0.0.2:${METRICS_PORT}/metrics`
  const read = async () => (await fetch(metrics)).text()
  const count = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    )
  const visits = 'http_requests_total{method="GET",route="unknown",status="404"}'

  await t.test('their metrics are summed up on a separate port', async (t) => {
    for (let count = 0; count < 20; count++) await get('/counted/nowhere')
    while (count(await read(), 'metrics_workers_answered') < 2); // the new process is still starting
    const response = await fetch(metrics)
    t.match(response.headers.get('content-type'), /^text\/plain/)
    const text = await response.text()
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
    const before = await read()
    const hanging = Number(now[0])
    process.kill(hanging, 'SIGSTOP')
    t.teardown(() => process.kill(hanging, 'SIGCONT'))
    for (const _ of ['once', 'and once more']) {
      const text = await read()
      t.equal(count(text, 'metrics_workers_answered'), 1)
      t.equal(count(text, 'metrics_workers_expected'), 2)
      const memory = count(text, 'process_resident_memory_bytes')
      t.ok(memory > 0 && memory < 1.5 * count(before, 'process_resident_memory_bytes'), 'of one process')
    }
    process.kill(hanging, 'SIGCONT')
    while (count(await read(), 'metrics_workers_answered') < 2);
    t.equal(count(await read(), visits), 20)
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
    let ready = await get('/up/ready')
    while (ready.status === 200) ready = await get('/up/ready')
    t.same(await ready.json(), { status: 'unready', reason: 'closing' })
    t.equal((await get('/sign_in')).status, 200)
    for (const { finish } of signIns) t.equal((await finish()).statusCode, 302)
    t.equal(await server.exit, 0)
    t.ok(performance.now() - signalledAt >= 3_000, 'after DRAIN_SECONDS')
  })
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

t.test('a second signal ends all processes at once', async (t) => {
  const server = await serve(t, { ...production, WEB_CONCURRENCY: '2', DRAIN_SECONDS: '900' })
  const workers = await childrenOf(server.child)
  while (server.child.exitCode === null) {
    server.child.kill('SIGTERM')
    await sleep(100)
  }
  t.equal(await server.exit, 1)
  for (const pid of workers) while (existsSync(`/proc/${pid}`)) await sleep(5)
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
    const server = await serve(t, { ...production, WEB_CONCURRENCY }, { stdout: log })
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

t.test('more connections than file descriptors end no process', async (t) => {
  const server = await serve(t, { ...production, WEB_CONCURRENCY: '2' }, { descriptors: 150 })
  const workers = await childrenOf(server.child)
  const crowd = Array.from({ length: 400 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
  const answeredOrClosed = crowd.map((socket) => {
    socket.write('GET /sign_in HTTP/1.1\r\nhost: localhost\r\n\r\n')
    return new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  })
  await Promise.all(answeredOrClosed)
  for (const socket of crowd) socket.destroy()
  while ((await server.get('/sign_in').catch(() => undefined))?.status !== 200) await sleep(20)
  t.same(await childrenOf(server.child), workers)
  t.same(
    linesOf(server).filter(({ level }) => level >= 50),
    [],
  )
})

t.test('a database that no longer responds is missing in the metrics, and does not delay shutdown', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const METRICS_PORT = String(await freePort())
  const environment = { ...production, DATABASE_URL: proxy.url, WEB_CONCURRENCY: '2', BIND: '127.0.0.1', METRICS_PORT }
  const server = await serve(t, environment)
  const read = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  while (!/^metrics_workers_answered 2$/m.test(await read())); // the second one may still be starting
  t.match(await read(), /^job_queue_depth{state="waiting"} 0$/m)
  const signIn = await beginSignIn(t, server.url)
  proxy.freeze()
  signIn.finish().catch(() => {})
  const text = await read()
  t.match(text, /^metrics_workers_answered 2$/m)
  t.match(text, /^http_requests_total{/m)
  t.notMatch(text, /^job_queue_(depth|oldest_seconds)[ {]/m)

  const seconds = startStopwatch(t)
  server.child.kill('SIGTERM')
  await server.exit
  t.ok(seconds() < 10)
  const forced = linesOf(server).filter(({ msg }) => msg.startsWith('the shutdown takes too long'))
  t.match(forced, [{ requests: ['POST /sign_in'], databaseConnections: Number }], 'says what held it up')
  proxy.cut()
})

t.test('a process that is replaced while the database is away waits for it, in one line', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const server = await serve(t, { ...production, DATABASE_URL: proxy.url, WEB_CONCURRENCY: '2' })
  const lines = (message: string) => linesOf(server).filter(({ msg }) => msg === message)
  while (lines('started').length < 3) await sleep(20)
  proxy.cut()
  process.kill(Number((await childrenOf(server.child))[0]), 'SIGKILL')
  while (lines('Waiting for the database of DATABASE_URL (ECONNRESET)').length === 0) await sleep(20)
  proxy.restore()
  while (lines('started').length < 4) await sleep(20)
  t.equal(lines('a process died and is replaced').length, 1)
  t.notMatch(server.output.text, /^ +at /m, 'no stack')
})

/** A sign-in of which half has been sent. */
async function beginSignIn(t: Test, url: string) {
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const { cookies, csrf } = await visit(url)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' })
  const form = { 'content-type': 'application/json', 'content-length': body.length }
  const headers = { ...form, ...csrf, cookie: headerOf(cookies) }
  const sent = request(`${url}/sign_in`, { method: 'POST', agent, headers })
  sent.write(body.slice(0, 9))
  const answered = once(sent, 'response')
  answered.catch(() => {}) // `finish` throws it
  await once(sent, 'socket')
  return {
    async finish() {
      sent.end(body.slice(9))
      const [response] = await answered
      response.resume()
      return response as IncomingMessage
    },
  }
}

const linesOf = ({ output }: { output: { text: string } }): Line[] =>
  output.text.split('\n').flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []))

async function childrenOf({ pid }: ChildProcess) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean)
}
