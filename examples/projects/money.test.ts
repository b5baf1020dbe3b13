import t from 'tap'
import { decimalMoney, formatMoney, parseMoney, typedMoney } from './money.ts'

const read = (locale: string, typed: string, currency = 'EUR') => parseMoney(locale, typed, currency)?.amount

t.test('an amount is read as people of that language write it', async (t) => {
  for (const [locale, typed, amount] of [
    ['en', '1,250.50', 125050],
    ['en', '12.5', 1250],
    ['en', ' 1250 ', 125000],
    ['de', '1.250,50', 125050],
    ['de', '1.250', 125000],
    ['de', '12.50', 1250],
    ['de-CH', '1’250.50', 125050],
    ['fr', '1 250,50', 125050],
    ['ar', '١٬٢٥٠٫٥٠', 125050],
    ['ar', '۱۲٫۵', 1250],
    ['en', '0', 0],
  ] as const)
    t.equal(read(locale, typed), amount, `${locale}: ${typed}`)
})

t.test('what could mean two amounts is not guessed', async (t) => {
  for (const typed of ['1,5', '1.500', '1,2345', '12.345,6', '-1', '1e3', '€5', '', '.5', '1.', '1,250,', '٫'])
    t.equal(read('en', typed), undefined, typed)
  t.equal(read('en', '9'.repeat(14)), undefined, 'more digits than a number holds')
  t.equal(read('en', '1'.repeat(50_000)), undefined)
})

t.test('a currency decides about its decimals', async (t) => {
  t.equal(read('en', '1,250', 'JPY'), 1250)
  t.equal(read('en', '12.5', 'JPY'), undefined)
  t.equal(read('en', '1.234', 'KWD'), 1234)
  t.equal(formatMoney('en', { amount: 1250, currency: 'JPY' }), '¥1,250')
  t.equal(decimalMoney({ amount: 1, currency: 'KWD' }), '0.001')
})

t.test('an amount is written in the language, and what a field shows is read back as the same', async (t) => {
  const money = { amount: 1234567890123, currency: 'EUR' }
  t.equal(formatMoney('de', money), '12.345.678.901,23\u00a0€')
  t.equal(formatMoney('en', money), '€12,345,678,901.23')
  t.equal(formatMoney('ar-u-nu-latn', money), formatMoney('ar', money), 'in the digits of codes')
  t.equal(decimalMoney(money), '12345678901.23')
  for (const locale of ['en', 'de', 'ar', 'fr']) t.equal(read(locale, typedMoney(locale, money)), money.amount, locale)
  t.equal(typedMoney('de', { amount: 5, currency: 'EUR' }), '0,05')
})
