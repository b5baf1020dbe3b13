import { Secret } from 'otpauth'
import t from 'tap'
import { normalizeCode, stepOf } from '../../features/second-factor/codes.ts'
import { codeAt } from '../helpers/second-factors.ts'

const secret = Secret.fromLatin1('12345678901234567890').base32

t.test('a code is valid in its time step and one step either way', async (t) => {
  const at = new Date(1_800_000_000_000)
  const step = 1_800_000_000 / 30
  const code = await codeAt(secret, at)
  const seconds = [-31, -30, -1, 0, 29, 30, 59, 60]
  const found = seconds.map((ahead) => stepOf(secret, code, new Date(at.getTime() + ahead * 1000)))
  t.same(found, [undefined, step, step, step, step, step, step, undefined])
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
