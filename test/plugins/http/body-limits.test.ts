import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import bodyLimits from '../../../plugins/http/body-limits.ts'
import errors from '../../../plugins/http/errors.ts'
import languages from '../../../plugins/languages/index.ts'
import { startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

const pages = new URL('../../../pages/public/', import.meta.url)

async function start(t: Test, bounds: Parameters<typeof bodyLimits>[1]) {
  const app = Fastify({ trustProxy: true, forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(languages, { tags: [] })
  await app.register(errors, { pages })
  await app.register(bodyLimits, bounds)
  app.post('/', ({ body }) => ({ length: JSON.stringify(body).length }))
  app.post('/held', { onRequest: () => sleep(600) }, ({ body }) => ({ length: JSON.stringify(body).length }))
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(422).send('no') }, () => '')
  app.server.on('connection', (socket) => connections.add(socket))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

const connections = new Set<Socket>()
const portOf = (app: App) => Number(new URL(app.listeningOrigin).port)

type App = Awaited<ReturnType<typeof start>>

/** Starts a request body of this length and sends part of it. */
function begin(t: Test, app: App, { length = 1000, sent = 0, client = '10.0.0.1', path = '/' } = {}) {
  const socket = connect(portOf(app), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `x-forwarded-for: ${client}`,
  ]
  socket.write(`${head.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n`)
  if (sent > 0) socket.write(`"${'x'.repeat(sent - 1)}`)
  return socket
}

/** The status of the response, or undefined if the connection ended without one. */
async function answerTo(socket: Socket) {
  const answer = await text(socket).catch(() => '')
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]) || undefined
}

/** Resolves once the application has read everything sent, or the connection is gone. */
async function arrived(socket: Socket) {
  if (socket.connecting) await once(socket, 'connect')
  const other = () => [...connections].find(({ remotePort }) => remotePort === socket.localPort)
  while (!socket.destroyed && (other()?.bytesRead ?? 0) < socket.bytesWritten) await sleep(1)
  for (let turns = 0; turns < 2; turns++) await turn()
}

t.test('a body that does not arrive in time is rejected, and its connection closed', async (t) => {
  const app = await start(t, { timeoutMs: 200 })
  const socket = begin(t, app, { sent: 10 })
  const answer = await text(socket)
  t.match(answer, /^HTTP\/1.1 503/)
  t.match(answer, /retry-after: \d+/)
  t.match(answer, /connection: close/)
})

t.test('an unread body of a rejected request that does not arrive in time is rejected', async (t) => {
  const app = await start(t, { timeoutMs: 200 })
  t.equal(await answerTo(begin(t, app, { sent: 10, path: '/refused' })), 422)
})

t.test('a body that has arrived, or is not read yet, may wait for hooks', async (t) => {
  const app = await start(t, { timeoutMs: 200 })
  for (const length of [10, 500_000]) {
    const socket = begin(t, app, { sent: length - 1, length, path: '/held' })
    socket.write('"')
    const [answer] = await once(socket, 'data')
    t.match(String(answer), /^HTTP\/1.1 200/, `${length} bytes`)
  }
})

t.test('a body sent to an unknown URL that does not arrive in time is rejected', async (t) => {
  const app = await start(t, { timeoutMs: 200 })
  t.ok([404, 503].includes((await answerTo(begin(t, app, { sent: 10, path: '/nowhere' }))) ?? 0))
})

t.test('the bodies of one client are limited: the oldest is dropped first', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytesPerClient: 7000, maxBytes: 100_000 })
  const first = begin(t, app, { sent: 2000, length: 4000 })
  await arrived(first)
  const second = begin(t, app, { sent: 2000, length: 4000 })
  const bystander = begin(t, app, { sent: 2000, length: 2001, client: '10.0.0.2' })
  await Promise.all([arrived(second), arrived(bystander)])
  const third = begin(t, app, { sent: 2000, length: 2001 })

  t.equal(await answerTo(first), 503)
  bystander.end('"')
  third.end('"')
  t.equal(await answerTo(bystander), 200)
  t.equal(await answerTo(third), 200)
  second.end(`${'x'.repeat(1999)}"`)
  t.equal(await answerTo(second), 200)
})

t.test('all bodies together are limited too', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytesPerClient: 5000, maxBytes: 20_000 })
  const sockets = []
  for (let client = 0; client < 12; client++) {
    const socket = begin(t, app, { sent: 2000, length: 2001, client: `10.0.1.${client}` })
    await arrived(socket)
    sockets.push(socket)
  }
  const answers = sockets.map(answerTo)
  for (const socket of sockets.slice(-8)) socket.end('"')
  t.same((await Promise.all(answers)).slice(-8), Array(8).fill(200))
  t.same(await Promise.all(answers.slice(0, 4)), Array(4).fill(503))
})

t.test('a body counts with its announced length before it is read', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytes: 5000 })
  const silent = begin(t, app, { length: 4000 })
  await arrived(silent)
  const other = begin(t, app, { length: 2001, sent: 2000, client: '10.0.0.2' })
  t.equal(await answerTo(silent), 503)
  other.end('"')
  t.equal(await answerTo(other), 200)
})

t.test('a chunked body counts as it arrives', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytes: 5000 })
  const socket = connect(portOf(app), '127.0.0.1')
  t.teardown(() => socket.destroy())
  const head = ['POST / HTTP/1.1', 'host: localhost', 'content-type: application/json', 'transfer-encoding: chunked']
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(`1770\r\n${'x'.repeat(6000)}\r\n`)
  t.equal(await answerTo(socket), 503)
})

t.test('many small chunks count for more than their bytes', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytesPerClient: 5000 })
  const socket = begin(t, app, { length: 1000, sent: 1 })
  socket.setNoDelay(true)
  let isOver = false
  const answer = answerTo(socket).finally(() => {
    isOver = true
  })
  while (!isOver) {
    socket.write('x')
    await arrived(socket) // or it would be read together with the next
  }
  t.equal(await answer, 503)
})

t.test('memory is released however a body ends', async (t) => {
  const app = await start(t, { timeoutMs: 60_000, maxBytesPerClient: 5000 })
  for (let round = 0; round < 5; round++) {
    const whole = begin(t, app, { sent: 2000, length: 2001 })
    whole.end('"')
    t.equal(await answerTo(whole), 200)
    const broken = begin(t, app, { sent: 2000, length: 2001 })
    await arrived(broken)
    const [other] = [...connections].slice(-1)
    broken.destroy()
    if (other && !other.closed) await new Promise((resolve) => other.once('close', resolve))
  }
})

t.test('the application accepts a body of 1 MiB, and not a byte more', async (t) => {
  const { app } = await startApp(t)
  const browser = await Browser.open(app)
  const send = (length: number) => {
    const body = { email: 'x'.repeat(length - JSON.stringify({ email: '' }).length) }
    return browser.request('POST', '/identity/password_reset', { body })
  }
  t.equal((await send(1_048_576)).statusCode, 302)
  t.equal((await send(1_048_577)).statusCode, 413)
})
