import t from 'tap'
import { addDays, dayOf, formatDay } from './days.ts'

t.test('days are counted across months, and are the same in every zone', async (t) => {
  t.equal(addDays('2026-12-31', 1), '2027-01-01')
  t.equal(addDays('2028-03-01', -1), '2028-02-29')
  t.equal(dayOf(new Date('2026-03-29T23:30:00Z')), '2026-03-29')
  t.equal(formatDay('en-US', '2026-12-24'), 'Dec 24, 2026')
  t.equal(formatDay('ar-u-nu-latn', '2026-12-24'), formatDay('ar', '2026-12-24'), 'in the digits of codes')
  t.equal(formatDay('de', '2026-12-24', 'long'), '24. Dezember 2026')
})
