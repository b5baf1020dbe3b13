import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readCatalogs } from '../../../plugins/languages/index.ts'
import { collectLines, listen, sharedApp, startApp } from '../../helpers/app.ts'
import { Browser } from '../../helpers/browser.ts'

/** Sends the head of a request and reads until the server closes the connection. */
async function startTalking(t: Test, environment?: Record<string, string>) {
  const { app } = await sharedApp(t, environment)
  await listen(app)
  const say = async (head: string, meanwhile?: (server: Socket) => void) => {
    const accepted = once(app.server, 'connection')
    const client = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    t.teardown(() => client.destroy())
    const [server] = await accepted
    client.write(`${head}\r\nHost: localhost\r\n${meanwhile ? '' : '\r\n'}`)
    meanwhile?.(server)
    const [answer = '', body = ''] = (await text(client)).split('\r\n\r\n')
    const [status = '', ...headers] = answer.split('\r\n')
    return { status, headers: headers.join('\n'), body }
  }
  return { app, say }
}

t.test('a request that takes too long is a 503, which browsers do not retry silently', async (t) => {
  const { app, say } = await startTalking(t)
  const timeOut = (server: Socket) =>
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), server)

  const { status, headers, body } = await say('POST /sign_in HTTP/1.1', timeOut)
  t.equal(status, 'HTTP/1.1 503 Service Unavailable')
  t.match(headers, /^retry-after: \d+$/m)
  t.equal(body, (await app.inject('/500.html')).body)
})

t.test('a host in the request line does not reach the page', async (t) => {
  const { app, say } = await startTalking(t)
  for (const [asked, url] of [
    ['http://evil.example/sign_in/?a=1', '/sign_in/?a=1'],
    ['http://evil.example', '/'],
    ['HTTP://evil.example?a=1', '/?a=1'],
  ]) {
    const { body } = await say(`GET ${asked} HTTP/1.1\r\nX-Inertia: true\r\nConnection: close`)
    t.equal(JSON.parse(body).url, url)
  }
  t.equal((await app.inject('/sign_in//')).statusCode, 200)
})

t.test('their page is in the default language, and says so', async (t) => {
  const [language = ''] = [...(await readCatalogs()).keys()].toReversed()
  const { say } = await startTalking(t, { LANGUAGES: language })
  const { headers, body } = await say('hello')
  t.match(headers, new RegExp(`^content-language: ${language}$`, 'm'))
  t.match(body, `<html lang="${language}"`)
})

t.test('oversized and malformed requests are rejected with the usual headers', async (t) => {
  const { say } = await startTalking(t)
  const long = await say(`GET /${'x'.repeat(20_000)} HTTP/1.1`)
  const cookie = await say(`GET / HTTP/1.1\r\nCookie: a=${'x'.repeat(20_000)}`)
  for (const { status } of [long, cookie]) t.equal(status, 'HTTP/1.1 431 Request Header Fields Too Large')
  t.match(long.body, "<h1>Delete this site's cookies</h1>")
  t.notMatch(long.body, '<a ', 'a link would lead to the same page')
  t.match(long.headers, /^server-timing: app;dur=/m)
  const noise = await say('hello')
  t.equal(noise.status, 'HTTP/1.1 400 Bad Request')
  for (const { headers, body } of [long, noise]) {
    t.match(headers, /^x-frame-options: DENY$/m)
    t.match(headers, /^vary: X-Inertia$/m)
    t.match(headers, /^x-request-id: [\w-]{10,64}$/m)
    t.match(headers, /^content-security-policy: default-src 'self'/m)
    t.match(headers, /^strict-transport-security: /m)
    t.match(body, /<!doctype html>/i)
  }
})

t.test('a client that disconnects in the middle of a body is no error of the server', async (t) => {
  const { lines, logTo } = collectLines()
  const { app } = await startApp(t, {}, { logTo })
  await listen(app)
  const browser = await Browser.open(app)
  const cookies = { ...browser.csrfHeader(), cookie: browser.cookieHeader() }
  const headers = { ...browser.headers, ...cookies, 'content-type': 'application/json', 'content-length': '100' }
  const client = request(`${app.listeningOrigin}/sign_in`, { method: 'POST', headers }).on('error', () => {})
  const received = once(app.server, 'request')
  client.write('{"email":')
  const [{ socket }] = await received
  client.destroy()
  await new Promise((resolve) => socket.once('close', resolve))
  t.equal((await fetch(`${app.listeningOrigin}/up`)).status, 200)
  t.notOk(lines.some(({ level }) => level >= 50))
})
