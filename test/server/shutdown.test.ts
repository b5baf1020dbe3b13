import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { createDatabase } from '../helpers/database.ts'
import { startProxy, startStopwatch } from '../helpers/proxy.ts'
import { beginSignIn, linesOf, production, serve, workersOf } from '../helpers/server.ts'

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))

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

t.test('a second signal ends all processes at once', async (t) => {
  const server = await serve(t, { ...production, WEB_CONCURRENCY: '2', DRAIN_SECONDS: '900' })
  const workers = await workersOf(server)
  while (server.child.exitCode === null) {
    server.child.kill('SIGTERM')
    await sleep(100)
  }
  t.equal(await server.exit, 1)
  for (const pid of workers) while (existsSync(`/proc/${pid}`)) await sleep(5)
})

t.test('a database that no longer responds is missing in the metrics, and does not delay shutdown', async (t) => {
  const proxy = await startProxy(t, await createDatabase(t))
  const METRICS_PORT = String(await freePort())
  const environment = { ...production, DATABASE_URL: proxy.url, WEB_CONCURRENCY: '2', BIND: '127.0.0.1', METRICS_PORT }
  const server = await serve(t, environment)
  const read = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  /** Metrics in which both have answered. One may still be starting, or busy. */
  const readBoth = async () => {
    for (;;) {
      const text = await read()
      if (/^metrics_workers_answered 2$/m.test(text)) return text
    }
  }
  while (!/^job_queue_depth{state="waiting"} 0$/m.test(await readBoth()));
  const signIn = await beginSignIn(t, server.url)
  proxy.freeze()
  signIn.finish().catch(() => {})
  const text = await readBoth()
  t.match(text, /^http_requests_total{/m)
  t.notMatch(text, /^job_queue_(depth|oldest_seconds)[ {]/m)

  const seconds = startStopwatch(t)
  server.child.kill('SIGTERM')
  await server.exit
  t.ok(seconds() < 10)
  const forced = linesOf(server).filter(({ msg }) => msg.startsWith('the shutdown takes too long'))
  const requests = forced.flatMap(({ requests }) => requests)
  t.same(requests, ['POST /sign_in'], 'says what held it up')
  for (const { databaseConnections } of forced) t.type(databaseConnections, 'number')
  proxy.cut()
})
