import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { listen, sharedApp } from '../../helpers/app.ts'
import { chunked, json, onePiece, startWithPerson } from '../../helpers/bodies.ts'

t.test('a body in countless tiny pieces ends its connection, whatever reads it', async (t) => {
  const { send } = await startWithPerson(t)
  const pieces = onePiece('a').repeat(100_000)
  for (const [line, type] of [
    ['PATCH /settings/profile', json],
    ['PATCH /settings/profile', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['PATCH /settings/profile', { 'content-type': 'image/png' }],
    ['GET /settings/profile', json],
  ] as const) {
    const { status, answer } = await send(line, { ...type, ...chunked }, pieces)
    if (status !== 200) t.equal(status, 400, `${line} ${type['content-type']}`)
    t.match(answer, /^x-frame-options: DENY\r$/im)
  }
})

t.test('a body in pieces that any client may send is read', async (t) => {
  const { send } = await startWithPerson(t)
  const body = `{"name":"Ana","ignored":"${'x'.repeat(1_900)}"}`
  const pieces = [...body].map(onePiece).join('')
  t.equal((await send('PATCH /settings/profile', { ...json, ...chunked }, `${pieces}0\r\n\r\n`)).status, 302)
})

t.test('a client whose body has arrived counts as there while its password waits', async (t) => {
  const { app, headers } = await startWithPerson(t)
  const body = JSON.stringify({ password_challenge: 'a wrong password' })
  const options = { method: 'DELETE', body, redirect: 'manual', headers: { ...headers(), ...json } } as const
  t.equal((await fetch(`${app.listeningOrigin}/sessions`, options)).status, 302)
})

t.test('the client of a body that is too large reads its 413, and the connection ends', async (t) => {
  const { app, headers } = await startWithPerson(t)
  for (const length of [{ 'content-length': 9_000_000 }, chunked]) {
    const options = { method: 'PATCH', agent: false, headers: { ...headers(), ...json, ...length } }
    const outgoing = request(`${app.listeningOrigin}/settings/profile`, options)
    outgoing.end(Buffer.alloc(9_000_000)) // an error would fail the test
    const [response] = await once(outgoing, 'response')
    t.equal(response.statusCode, 413)
    response.resume()
  }
  const unending = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  unending.on('error', () => {})
  const lines = Object.entries({ host: 'localhost', ...headers(), ...json, 'content-length': '9000000' })
  unending.write(`PATCH /settings/profile HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{`)
  t.match(await text(unending), /^HTTP\/1.1 413 /, 'although the rest never comes')
})

t.test('more than a hundred requests that wait for no answer end their connection', async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  let requests = 0
  app.server.prependListener('request', () => requests++)
  const client = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  client.on('error', () => {})
  client.write('GET /sign_in HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000))
  await text(client).catch(() => '')
  t.equal(requests, 100)
})

t.test("answers that Node would give by itself have everybody's headers", async (t) => {
  const { app } = await sharedApp(t)
  await listen(app)
  for (const [head, status] of [
    ['GET / HTTP/1.1\r\nConnection: close', 400],
    ['GET /sign_in HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\nConnection: close', 417],
  ] as const) {
    const client = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    client.write(`${head}\r\n\r\n`)
    const answer = await text(client)
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(answer, /^content-security-policy: default-src 'self'/im)
    t.match(answer, /<!doctype html>/i)
  }
})
