import t from 'tap'
import { dayIn } from '../../../plugins/languages/days.ts'

t.test('only days that exist are days', async (t) => {
  for (const day of ['2028-02-29', '1969-07-20', '1904-02-29', '1800-01-01', '2999-12-31']) t.equal(dayIn(day), day)
  const others = ['2027-02-29', '1900-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00', '', null, 20260101]
  for (const given of [...others, '0026-01-01', '0202-01-01', '3000-01-01'])
    t.equal(dayIn(given), undefined, String(given))
})
