import { formatDay } from '../../plugins/languages/days.ts'
import { latin } from '../../plugins/languages/translate.ts'
import { useHydrated } from '../hooks/store.ts'
import { lazily, locale } from '../words/locale.ts'
import { speech, t } from '../words/t.ts'

/** A format for the browser, and one for the server, which knows neither the reader's time zone nor the region. */
export function formatsOf(options: Intl.DateTimeFormatOptions) {
  const local = lazily(() => new Intl.DateTimeFormat(locale(), options))
  const universal = lazily(() => new Intl.DateTimeFormat(latin(speech().tag), { ...options, timeZone: 'UTC' }))
  return (isHydrated: boolean) => (isHydrated ? local() : universal())
}

const full = formatsOf({ dateStyle: 'medium', timeStyle: 'short' })
const clock = formatsOf({ timeStyle: 'short' })
const day = formatsOf({ dateStyle: 'medium' })

export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  const isHydrated = useHydrated()
  const universal = universalOf(at)
  const moment = new Date(at)
  return (
    // A distance comes from the server, too, or what is beside it would move. Its clock may be a second behind.
    <time dateTime={at} title={relative ? universal : undefined} suppressHydrationWarning={relative}>
      {relative ? distance(moment) : isHydrated ? full(true).format(moment) : universal}
    </time>
  )
}

export const Clock = ({ at }: { at: string }) => {
  const isHydrated = useHydrated()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={isHydrated ? distance(moment) : undefined}>
      {clock(isHydrated).format(moment)}
    </time>
  )
}

export const Day = ({ at }: { at: string }) => <time dateTime={at}>{day(useHydrated()).format(new Date(at))}</time>

/** A day of the calendar, which is the same in every time zone. */
export const CalendarDay = ({ day }: { day: string }) => (
  <time dateTime={day}>{formatDay(useHydrated() ? locale() : speech().tag, day)}</time>
)

const ago = lazily(() => new Intl.RelativeTimeFormat(latin(speech().tag), { numeric: 'auto' }))

function distance(moment: Date) {
  const seconds = (moment.getTime() - Date.now()) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 60]
  return unit === 'second' ? t('just now') : ago().format(Math.round(seconds / size), unit)
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const universalOf = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

const hourMs = 3_600_000

/** How long ago, as short as a table wants it. When somebody was active is known to the hour. */
export function Ago({ at }: { at: string }) {
  const hours = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / hourMs))
  if (hours >= 30 * 24) return <Day at={at} />
  return (
    <time dateTime={at} title={universalOf(at)} suppressHydrationWarning>
      {hours < 1 ? t('now') : hours < 24 ? t('{hours} h', { hours }) : t('{days} d', { days: Math.floor(hours / 24) })}
    </time>
  )
}
