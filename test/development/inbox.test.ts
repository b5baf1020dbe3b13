import { createTransport } from 'nodemailer'
import t from 'tap'
import { startInbox } from '../../development/inbox/index.ts'
import { startApp } from '../helpers/app.ts'

const inbox = await startInbox(t.testdir())
t.teardown(() => inbox.stop())
const { app } = await startApp(t)
await app.register(inbox.pages)

const send = (mail: object) =>
  createTransport(inbox.server).sendMail({ from: 'Acme <a@acme.example>', to: 'ana@example.com', ...mail })
const get = (url: string, headers = {}) => app.inject({ url, headers })

await send({ subject: 'First', text: 'one' })
await send({
  subject: 'Hello <Ana>',
  text: 'Come in: https://acme.example/door?sid=1 <now>',
  html: '<!doctype html><html><head></head><body><a href="https://acme.example/door?sid=1">Come in</a></body></html>',
})
const list = (await get('/dev/inbox')).body
const url = /href="(\/dev\/inbox\/[^"]+)"/.exec(list)?.[1] ?? 'no link'

t.test('a caught mail is listed and shown, newest first, with its values escaped', async (t) => {
  t.match(list, /Hello &#60;Ana&#62;.*First/s)
  t.match(list, 'ana@example.com')
  const letter = (await get(url)).body
  t.match(letter, 'Acme &#60;a@acme.example&#62;')
  t.match(letter, '&#60;now&#62;')
})

t.test('the HTML of a mail runs no scripts, stays in its frame, and opens links above it', async (t) => {
  const { headers, body } = await get(url)
  t.match(headers['content-security-policy'], "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'")
  t.match(body, 'srcdoc="&#60;!doctype html&#62;&#60;html&#62;&#60;head&#62;&#60;base target&#61;&#34;_top&#34;&#62;')
  t.match(body, 'sandbox="allow-top-navigation-by-user-activation"')
})

t.test('only loopback names are answered, so no site can read mails by DNS rebinding', async (t) => {
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'app.localhost'])
    t.equal((await get('/dev/inbox', { host })).statusCode, 200, host)
  for (const host of ['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1']) {
    for (const path of ['/dev/inbox', url]) {
      const { statusCode, body } = await get(path, { host, 'x-forwarded-host': 'localhost' })
      t.equal(statusCode, 404, host)
      t.notMatch(body, 'Hello')
    }
  }
  t.match((await get('/dev/inbox')).body, 'Hello')
})
