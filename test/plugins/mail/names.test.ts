import t from 'tap'
import { nameForOthers } from '../../../plugins/mail/names.ts'

t.test('a name is shown to others', async (t) => {
  for (const name of [
    'Ana',
    "Ana's account",
    'Ana B. Cruz',
    'Version 2.0',
    'Acme, Inc.',
    '山田 太郎',
    'José-María',
    'a . b',
  ]) {
    t.equal(nameForOthers(name), name)
  }
})

t.test('truncated to 60 characters, without splitting any', async (t) => {
  t.equal(nameForOthers('n'.repeat(255)), 'n'.repeat(60))
  t.equal(nameForOthers('🦊'.repeat(61)), '🦊'.repeat(60))
})

t.test('but not if a mail client or a person might take it for a link', async (t) => {
  for (const name of [
    'evil.example',
    'Win at EVIL.example/now',
    'web2.com',
    'www.evil',
    'www。evil',
    'http://1.2.3.4',
    'call ana@example.com',
    'evil．example',
    'еvil.рф',
    'ｅｖｉｌ.example',
    'evil.\u200bexample',
    'e\u0301vile\u0301.example',
    `${'n'.repeat(100)} evil.example`,
    'J.R. Ewing',
  ]) {
    t.equal(nameForOthers(name), undefined, name)
  }
})
