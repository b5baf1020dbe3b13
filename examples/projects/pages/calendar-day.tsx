import { useHydrated } from '../../../pages/hooks/store.ts'
import { locale } from '../../../pages/words/locale.ts'
import { speech } from '../../../pages/words/t.ts'
import { formatDay } from '../days.ts'

/** A day of the calendar, which is the same in every time zone. */
export const CalendarDay = ({ day }: { day: string }) => (
  <time dateTime={day}>{formatDay(useHydrated() ? locale() : speech().tag, day)}</time>
)
