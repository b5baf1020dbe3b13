import { Secret } from 'otpauth'
import t from 'tap'
import { newSecret, normalizeCode, stepOf, uriOf } from '../../features/second-factor/codes.ts'
import { codeAt } from '../helpers/second-factors.ts'

const secret = Secret.fromLatin1('12345678901234567890').base32

t.test('a code is valid in its time step and one step either way', async (t) => {
  const at = new Date(1_800_000_000_000)
  const step = 1_800_000_000 / 30
  const code = await codeAt(secret, at)
  for (const [ahead, found] of [
    [-31, undefined],
    [-30, step],
    [-1, step],
    [0, step],
    [29, step],
    [30, step],
    [59, step],
    [60, undefined],
  ] as const) {
    t.equal(stepOf(secret, code, new Date(at.getTime() + ahead * 1000)), found, `${ahead} seconds later`)
  }
})

t.test('the six digits of an app may be those of any script, and everything else stays as it is', async (t) => {
  for (const typed of [
    '123456',
    '١٢٣٤٥٦', // Arabic
    '۱۲۳۴۵۶', // Persian
    '१२३४५६', // Devanagari
    '１２３４５６', // full-width
    '𝟙𝟚𝟛𝟜𝟝𝟞', // mathematical, which follow other digits without a gap
    '12۳٤५６',
    '\u2067١٢٣\u00a0–\u2009٤٥٦\u2069',
  ])
    t.equal(normalizeCode(typed), '123456', typed)
  for (const typed of ['١٢٣٤٥', '①②③④⑤⑥', '一二三四五六']) t.equal(normalizeCode(typed), typed)
  t.equal(normalizeCode('abcd-efgh ijkl'), 'ABCDEFGHIJKL')
})

t.test('secrets are 160 random bits, and apps get everything they need', async (t) => {
  t.match(newSecret(), /^[A-Z2-7]{32}$/)
  t.not(newSecret(), newSecret())
  const uri = new URL(uriOf(secret, { issuer: 'Acme: & Söhne', label: 'ana+1@example.com' }))
  t.equal(`${uri.protocol}//${uri.host}`, 'otpauth://totp')
  t.equal(decodeURIComponent(uri.pathname), '/Acme  & Söhne:ana+1@example.com', 'where a colon ends the issuer')
  t.same(Object.fromEntries(uri.searchParams), {
    issuer: 'Acme  & Söhne',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
