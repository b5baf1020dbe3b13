import { formatDay } from '../../plugins/languages/days.ts'
import { latin } from '../../plugins/languages/translate.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { lazily } from '../words/lazily.ts'
import { locale } from '../words/locale.ts'
import { speech } from '../words/t.ts'

export const Day = ({ at }: { at: string }) => (
  <time dateTime={at}>{(useHydrated() ? day() : universalDay()).format(new Date(at))}</time>
)

/** A day of the calendar, which is the same in every time zone. */
export const CalendarDay = ({ day }: { day: string }) => (
  <time dateTime={day}>{formatDay(useHydrated() ? locale() : speech().tag, day)}</time>
)

const day = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }))
const universalDay = lazily(
  () => new Intl.DateTimeFormat(latin(speech().tag), { dateStyle: 'medium', timeZone: 'UTC' }),
)
