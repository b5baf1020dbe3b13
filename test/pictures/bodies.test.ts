import { once } from 'node:events'
import { request } from 'node:http'
import t from 'tap'
import { chunked, multipart, onePiece, startWithPerson } from '../helpers/bodies.ts'
import { formOf, picture } from '../helpers/pictures.ts'

const put = 'PUT /settings/picture'

t.test('an upload in countless tiny pieces, or that is too large, ends its connection', async (t) => {
  const { app, headers, send } = await startWithPerson(t)
  t.equal((await send(put, { ...multipart, ...chunked }, onePiece('a').repeat(100_000))).status, 400)
  for (const length of [{ 'content-length': 9_000_000 }, chunked]) {
    const options = { method: 'PUT', agent: false, headers: { ...headers(), ...multipart, ...length } }
    const outgoing = request(`${app.listeningOrigin}/settings/picture`, options)
    outgoing.end(Buffer.alloc(9_000_000)) // an error would fail the test
    const [response] = await once(outgoing, 'response')
    t.equal(response.statusCode, 413)
    response.resume()
  }
})

t.test('a client whose body has arrived counts as there while its picture waits', async (t) => {
  const { app, headers } = await startWithPerson(t)
  const options = { method: 'PUT', body: formOf(await picture()), redirect: 'manual', headers: headers() } as const
  t.equal((await fetch(`${app.listeningOrigin}/settings/picture`, options)).status, 302)
})

t.test('an upload that is refused before it is read keeps its connection', async (t) => {
  const { send } = await startWithPerson(t)
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1_000)
  const length = { 'content-length': String(part.length), connection: 'keep-alive' }
  const { status, answer } = await send(
    put,
    { ...multipart, ...length },
    `${part}GET /up HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  t.equal(status, 400)
  t.match(answer, /^HTTP\/1\.1 200/m, 'the next request on it is answered')
})

t.test("a part's header of more than 2 kB is refused before it is parsed", async (t) => {
  const { send, browser } = await startWithPerson(t)
  const part = 'Content-Disposition: form-data; name="picture"'
  const bodies = [
    `--x\r\n${part.replace('picture', '%22%0A'.repeat(400))}\r\n\r\n`,
    `--x\r\n${part}\r\n${'a: b\r\n'.repeat(400)}\r\n`,
    `--x\r\n\r\n--x\r\n${part}\r\n${'a: b\r\n'.repeat(400)}`,
  ]
  for (const body of bodies) {
    const { status } = await send('PUT /settings/picture', { ...multipart, 'content-length': '1000000' }, body)
    t.equal(status, 400)
  }
  const named = new FormData()
  named.append('picture', new Blob([await picture()]), `${'ü'.repeat(200)}.png`)
  t.equal((await browser.submit('PUT', '/settings/picture', named)).flash?.notice, 'Your picture has been updated')
  t.equal((await browser.request('PUT', '/settings/picture', { body: formOf(await picture()) })).statusCode, 303)
})

t.test('a boundary of more than 70 characters is refused before anything is read', async (t) => {
  const { send } = await startWithPerson(t)
  const boundary = (length: number) => ({ 'content-type': `multipart/form-data; boundary=${'x'.repeat(length)}` })
  const whole = `--${'x'.repeat(70)}--\r\n`
  const length = { 'content-length': String(whole.length) }
  t.equal((await send('PUT /settings/picture', { ...boundary(70), ...length }, whole)).status, 302)
  t.equal((await send('PUT /settings/picture', { ...boundary(71), 'content-length': '8000000' }, '')).status, 400)
})

t.test('no boundary makes an upload cost ten times its twin', async (t) => {
  const { send } = await startWithPerson(t)
  const bytes = 4_000_000
  const cost = async (boundary: string, piece: string) => {
    const body = piece.repeat(bytes / piece.length).slice(0, bytes)
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) }
    const before = process.cpuUsage()
    t.equal((await send('PUT /settings/picture', type, body)).status, 400)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const honest = await cost('a-boundary', 'a picture')
  for (const length of [70, 250, 3_000]) {
    const boundary = 'x'.repeat(length)
    t.ok((await cost(boundary, `--${boundary.slice(0, -1)}y`)) < 10 * honest, `${length} characters`)
  }
})
