import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { listen, sharedApp, startApp } from '../../helpers/app.ts'
import { noNginx, startNginx, startPlainNginx } from '../../helpers/nginx.ts'
import { sharedPerson } from '../../helpers/people.ts'

const json = { 'content-type': 'application/json' }

type Asked = { line: string; headers?: object; body: string | Buffer }

const twoBytes = { line: 'GET /sign_in', body: '{}' }
const nowhere = { line: 'POST /nowhere', headers: json, body: '{}' }

/** Asks over one connection as long as that is kept. The body follows when the server has seen the head. */
function startAsking(t: Test, app: FastifyInstance) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return async ({ line, headers = {}, body }: Asked) => {
    const [method, path] = line.split(' ')
    const length = { 'content-length': Buffer.byteLength(body) }
    const seen = once(app.server, 'request')
    const outgoing = request(app.listeningOrigin + path, { method, agent, headers: { ...headers, ...length } })
    const answered = once(outgoing, 'response')
    outgoing.flushHeaders()
    await seen
    outgoing.end(body)
    const [response] = await answered
    await text(response)
    if (!outgoing.writableFinished) await once(outgoing, 'finish')
    return { status: response.statusCode, connection: response.headers.connection, reused: outgoing.reusedSocket }
  }
}

const up = { line: 'GET /up', body: '' }

t.test('whatever is answered before its body is read keeps its connection', async (t) => {
  const { app, db, browser } = await sharedPerson(t)
  await listen(app)
  const person = { ...browser.headers, ...browser.csrfHeader(), cookie: browser.cookieHeader() }
  for (const [status, asked] of [
    [200, twoBytes],
    [404, nowhere],
    [302, { line: 'GET /settings/profile', headers: json, body: '{}' }],
    [422, { line: 'POST /sign_in', headers: json, body: '{}' }],
    [200, { line: 'GET /up', headers: json, body: '{}' }],
    [413, { line: 'PATCH /settings/profile', headers: { ...person, ...json }, body: Buffer.alloc(1_100_000) }],
    [400, { line: 'PATCH /settings/profile', headers: { ...person, ...json }, body: '{' }],
    [400, { line: 'PATCH /settings/profile', headers: { ...person, ...json }, body: '['.repeat(20_000) }],
    [400, { line: 'PATCH /settings/profile', headers: { ...person, 'content-type': 'image/png' }, body: 'x' }],
  ] as const) {
    await db.execute('delete from rate_limits')
    const ask = startAsking(t, app)
    const { connection, ...answer } = await ask(asked)
    t.match({ ...answer, connection }, { status, connection: 'keep-alive' }, `${status} ${asked.line}`)
    t.match(await ask(up), { status: 200, reused: true }, `after ${status} ${asked.line}`)
  }
})

t.test('the hundredth answer on a connection says that it is the last, early or not', async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  for (const asked of [twoBytes, nowhere, up]) {
    const ask = startAsking(t, app)
    const answers = []
    for (let count = 1; count <= 101; count++) answers.push(await ask(asked))
    const saidClose = answers.flatMap(({ connection }, index) => (connection === 'close' ? [index + 1] : []))
    t.same(saidClose, [100], asked.line)
    t.same([answers[99]?.reused, answers[100]?.reused], [true, false], asked.line)
  }
})

t.test('an idle connection is kept for KEEP_ALIVE_SECONDS, and its answers say so', async (t) => {
  const { app } = await startApp(t, { KEEP_ALIVE_SECONDS: '1' })
  await listen(app)
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET /up HTTP/1.1\r\nhost: localhost\r\n\r\n')
  t.match(await text(client), /^keep-alive: timeout=1, max=100\r$/im, 'and it ends')
})

t.test('an early answer during the shutdown says that it is the last', async (t) => {
  const { app } = await startApp(t)
  await listen(app)
  const ask = startAsking(t, app)
  app.lifecycle.closing = true
  for (const asked of [twoBytes, nowhere, up]) t.match(await ask(asked), { connection: 'close', reused: false })
})

t.test('where the rest of a body does not come, the answer says that its connection ends', async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  for (const [line, status] of [
    ['POST /nowhere', 404],
    ['GET /sign_in', 200],
    ['POST /up', 404],
  ] as const) {
    for (const [length, beginning] of [
      ['content-length: 9000000', '{'],
      ['transfer-encoding: chunked', '1\r\n{\r\n'],
    ]) {
      const answer = await talk(t, app, `${line} HTTP/1.1\r\nhost: localhost\r\n${length}\r\n\r\n${beginning}`)
      t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      t.match(answer, /^connection: close\r$/im)
    }
  }
})

t.test('what a client goes on sending after its answer gets no other one', async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  const chunked = 'POST /nowhere HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n'
  for (const [said, status] of [
    [chunked + '1\r\na\r\n'.repeat(100_000), 404],
    [`${chunked}no chunk\r\n`, 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${'x'.repeat(200_000)}`, 431],
    [`no request\r\n\r\n${'x'.repeat(200_000)}`, 400],
  ] as const) {
    const answer = await talk(t, app, said)
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(answer, /^connection: close\r$/im)
    t.equal(answer.split('HTTP/1.1 ').length, 2, 'a single answer')
  }
})

/** Says so, and returns what comes until the server ends the connection. */
async function talk(t: Test, app: FastifyInstance, said: string) {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.on('error', () => {})
  client.write(said)
  return text(client).catch(String)
}

for (const [name, start] of [
  ['our sample for nginx', startNginx],
  ["nginx's defaults", startPlainNginx],
] as const) {
  t.test(`nobody behind ${name} is hit by early answers to somebody else`, { skip: noNginx }, async (t) => {
    const first = await startApp(t)
    const second = await startApp(t, { DATABASE_URL: first.url })
    const ports = []
    for (const { app } of [first, second]) {
      await listen(app)
      ports.push((app.server.address() as AddressInfo).port)
    }
    const nginx = await start(t, ports as [number, number])
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    t.teardown(() => agent.destroy())
    const statusOf = async ({ line, headers, body }: Asked) => {
      const [method, path] = line.split(' ')
      const lengthened = { ...headers, 'content-length': Buffer.byteLength(body) }
      const outgoing = request(nginx.origin + path, { method, agent, headers: lengthened })
      outgoing.end(body)
      const [response] = await once(outgoing, 'response')
      response.resume()
      await once(response, 'end')
      return response.statusCode
    }
    const kinds: [number, Asked][] = [
      [200, twoBytes],
      [404, nowhere],
      [404, { line: 'GET /no/where/at/all', body: 'x'.repeat(100_000) }],
      [200, { line: 'GET /up', body: 'x'.repeat(100_000) }],
      [422, { line: 'POST /sign_in', headers: json, body: '{}' }],
      [
        431,
        {
          line: 'GET /sign_in',
          headers: { a: 'x'.repeat(7_000), b: 'x'.repeat(7_000), c: 'x'.repeat(7_000) },
          body: '',
        },
      ],
    ]
    const wrong: object[] = []
    const client = async (kinds: [number, Asked][]) => {
      for (let count = 0; count < 150; count++) {
        for (const [expected, asked] of kinds) {
          const status = await statusOf(asked)
          if (status !== expected) wrong.push({ line: asked.line, expected, status })
        }
      }
    }
    await Promise.all([client(kinds), client([[200, { line: 'GET /sign_up', body: '' }]])])
    t.same(wrong, [])
    t.same(nginx.failures(), [])
  })
}
