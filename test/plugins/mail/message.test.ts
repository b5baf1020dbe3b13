import t from 'tap'
import { raw, text } from '../../../plugins/languages/index.ts'
import type { Message } from '../../../plugins/mail/index.ts'
import { defineGreeting, greet } from '../../helpers/greeting.ts'
import { startJobs } from '../../helpers/jobs.ts'
import { startSmtp } from '../../helpers/smtp.ts'

const smtp = await startSmtp(t)
const { app } = await startJobs(t, { server: smtp.server })
let changed: Partial<Message> = {}
defineGreeting(app, () => changed)
await app.jobs.startWorkers()

async function mailOf(changes: Partial<Message> = {}) {
  changed = changes
  await greet(app)
  return smtp.next()
}

t.test('a mail has the same words and link as text and as HTML, which loads nothing and tracks nobody', async (t) => {
  const { html = '', ...mail } = await mailOf()
  t.match(mail.source, /^content-type: multipart\/alternative/im)
  t.match(mail.source, /^auto-submitted: auto-generated/im)
  const link = 'https://acme.example/door?sid=secret-1'
  const words = ['Hello Ana,', 'it is good to have you here.', 'The link works once.', 'Come in', link]
  for (const part of [mail.text, html]) for (const each of words) t.match(part, each)
  t.notMatch(html, /<img|<script|<link|url\(|@import/i)
  t.same(new Set(html.match(/https?:\/\/[^"<\s]+/g)), new Set(['http://localhost:3000/', link]))
})

t.test('a mail begins with what it is for, which lists of mails show and the HTML hides', async (t) => {
  const { html = '', text: plain = '' } = await mailOf({ preheader: text('For {name} <3', { name: 'Ana' }) })
  t.match(plain, /^For Ana <3\n\nWelcome aboard\n/)
  t.match(html, /<body[^>]*>\n<div style="display:none[^"]*">For Ana &#60;3<\/div>/)
})

t.test('values are escaped only in the HTML part', async (t) => {
  const to = `o'brien&co@example.com`
  const quoted = `<b>${to}</b> "quoted"`
  const it = raw('<script>alert(1)</script>')
  const link = { label: it, url: '/' }
  const others = {
    subject: it,
    preheader: it,
    heading: it,
    advice: [it],
    facts: [{ label: it, value: it }],
    footnotes: [it],
  }
  const changes = { to, paragraphs: [raw(quoted)], ...others, action: link, secondaryAction: link }
  const { html = '', text = '', recipient } = await mailOf(changes)
  t.equal(recipient, to)
  t.match(text, quoted)
  t.match(html, '&#60;b&#62;o&#39;brien&#38;co@example.com&#60;/b&#62; &#34;quoted&#34;')
  t.notMatch(html, '<script>')
})

t.test('a long non-ASCII subject arrives intact in folded lines', async (t) => {
  const subject = `Überraschung für ${'Žofie Šťastná '.repeat(20).trim()} 🎉`
  const { source, ...mail } = await mailOf({ subject: raw(subject) })
  t.equal(mail.subject, subject)
  const [headers = ''] = source.split('\r\n\r\n')
  t.ok(headers.split('\r\n').every((line) => line.length <= 78 && /^[\x20-\x7e\t]*$/.test(line)))
})

t.test('line breaks in a value add neither headers nor paragraphs', async (t) => {
  const name = 'Ana\r\nBcc: eve@example.com\r\n\r\nSend us your password'
  const subject = text('Welcome {name}', { name })
  const mail = await mailOf({ subject, heading: raw(name), paragraphs: [text('Hello {name},', { name })] })
  t.equal(mail.bcc, undefined)
  t.equal(mail.subject, 'Welcome Ana Bcc: eve@example.com Send us your password')
  t.match(mail.text, 'Hello Ana Bcc: eve@example.com Send us your password,')
})

t.test('an address is a single recipient, whatever it contains', async (t) => {
  const mail = await mailOf({ to: 'ana,eve@example.com' })
  t.equal(mail.to?.length, 1)
  t.not(mail.recipient, 'eve@example.com')
})
