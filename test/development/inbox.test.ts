import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import t, { type Test } from 'tap'
import { startInbox } from '../../development/inbox/index.ts'
import { startApp } from '../helpers/app.ts'

async function openInbox(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const inbox = await startInbox(folder)
  t.teardown(() => inbox.stop())
  const { app } = await startApp(t)
  await app.register(inbox.pages)
  const send = (mail: object) =>
    createTransport(inbox.server).sendMail({ from: 'Acme <a@acme.example>', to: 'ana@example.com', ...mail })
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  return { folder, send, get }
}

const greeting = {
  subject: 'Hello <Ana>',
  text: 'Come in: https://acme.example/door?sid=1 <now>',
  html: '<!doctype html><html><head></head><body><a href="https://acme.example/door?sid=1">Come in</a></body></html>',
}

const linkIn = (html: string) => /href="(\/dev\/inbox\/[^"]+)"/.exec(html)?.[1] ?? 'no link'

t.test('a caught mail is listed and shown, newest first, with its values escaped', async (t) => {
  const { send, get } = await openInbox(t)
  await send({ subject: 'First', text: 'one' })
  await send(greeting)
  const list = (await get('/dev/inbox')).body
  t.match(list, /Hello &#60;Ana&#62;.*First/s)
  t.match(list, 'ana@example.com')

  const letter = (await get(linkIn(list))).body
  t.match(letter, 'Acme &#60;a@acme.example&#62;')
  t.match(letter, '<a href="https://acme.example/door?sid&#61;1">')
  t.match(letter, '&#60;now&#62;')
})

t.test('the HTML of a mail runs no scripts, stays in its frame, and opens links above it', async (t) => {
  const { send, get } = await openInbox(t)
  await send(greeting)
  const url = linkIn((await get('/dev/inbox')).body)
  t.match((await get(url)).body, `src="${url}/html"`)

  const part = await get(`${url}/html`)
  t.match(part.headers, {
    'x-frame-options': 'SAMEORIGIN',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  })
  t.match(part.body, '<base target="_top">')
})

t.test('only loopback names are answered, so no site can read mails by DNS rebinding', async (t) => {
  const { send, get } = await openInbox(t)
  await send(greeting)
  const list = (await get('/dev/inbox')).body
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'app.localhost']) {
    t.equal((await get('/dev/inbox', { host })).statusCode, 200, host)
  }
  for (const host of ['evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1']) {
    for (const url of ['/dev/inbox', linkIn(list), `${linkIn(list)}/html`]) {
      const { statusCode, body } = await get(url, { host, 'x-forwarded-host': 'localhost' })
      t.equal(statusCode, 404, host)
      t.notMatch(body, 'Hello')
    }
  }
  t.match((await get('/dev/inbox')).body, 'Hello')
})
