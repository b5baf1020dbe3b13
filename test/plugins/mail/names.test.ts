import t from 'tap'
import { nameInMail } from '../../../plugins/mail/names.ts'

t.test('a name is truncated to 60 characters, without splitting any', async (t) => {
  t.equal(nameInMail('n'.repeat(255)), `${'n'.repeat(60)}…`)
  t.equal(nameInMail('🦊'.repeat(61)), `${'🦊'.repeat(60)}…`)
})

t.test('a name is shown on one line and in its own direction', async (t) => {
  t.equal(nameInMail(' Ana\r\n\tB\u2028C\u202e '), 'Ana B C')
  for (const name of ['', ' \n', '\u200b\u2060']) t.equal(nameInMail(name), undefined)
})

t.test('a name that a mail client or a person might take for a link, or for encoded words, is not shown', async (t) => {
  for (const name of [
    ...['evil.example', 'Win at EVIL.example/now', 'web2.com', 'J.R. Ewing', 'i❤.ws', 'i❤️.ws', 'еvil.рф'],
    ...['1.2.3.4/login', '1.2.3.4', '１．２．３．４', '127.1/x', '2001:db8::1', 'call ana@example.com', 'ana＠evil'],
    ...['http://1.2.3.4', 'http:evil', 'hxxp evil', 'hxxps：／／x', '\\\\evil\\x', 'www.evil', 'www。evil'],
    ...['evil．example', 'evil․com', 'evilꓸcom', 'evil[.]com', 'evil (dot) com', 'evil dot com', 'ｅｖｉｌ.example'],
    ...['=?utf-8?q?Your_invoice?=', '=?UTF-8?B?RXZpbA==?=', 'Žofie ＝？utf-8?q?=65?='],
    ...['evil.\u200bexample', 'exam\u00adple.com', 'e\u0301vile\u0301.example', `${'n'.repeat(100)} evil.example`],
  ])
    t.equal(nameInMail(name), undefined, name)
})
