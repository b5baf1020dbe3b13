import t from 'tap'
import { addDays, dayIn, dayOf, formatDay } from '../../../plugins/languages/days.ts'
import { text, translateText } from '../../../plugins/languages/index.ts'
import { english } from '../../../plugins/languages/translate.ts'

t.test('only days that exist are days', async (t) => {
  for (const day of ['2028-02-29', '1969-07-20', '1904-02-29', '1800-01-01', '2999-12-31']) t.equal(dayIn(day), day)
  const others = ['2027-02-29', '1900-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00', '', null, 20260101]
  for (const given of [...others, '0026-01-01', '0202-01-01', '3000-01-01'])
    t.equal(dayIn(given), undefined, String(given))
})

t.test('days are counted across months, and are the same in every zone', async (t) => {
  t.equal(addDays('2026-12-31', 1), '2027-01-01')
  t.equal(addDays('2028-03-01', -1), '2028-02-29')
  t.equal(dayOf(new Date('2026-03-29T23:30:00Z')), '2026-03-29')
  t.equal(formatDay('en-US', '2026-12-24'), 'Dec 24, 2026')
  t.equal(formatDay('ar-u-nu-latn', '2026-12-24'), formatDay('ar', '2026-12-24'), 'in the digits of codes')
  t.equal(formatDay('de', '2026-12-24', 'long'), '24. Dezember 2026')
})

t.test('a mail writes days in the language of its reader', async (t) => {
  const due = text('By {day}', { day: { day: '2026-12-24' } })
  t.equal(translateText(english, due), 'By December 24, 2026')
  t.equal(translateText({ ...english, tag: 'de' }, due), 'By 24. Dezember 2026')
})
