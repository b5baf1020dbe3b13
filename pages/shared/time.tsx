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

/**
 * Shows a moment in this format. The first script writes it before the first paint, or what is beside it would move.
 */
function shownIn(options: Intl.DateTimeFormatOptions, onServer?: (at: string) => string) {
  const formats = formatsOf(options)
  const format = JSON.stringify(options)
  return function Moment({ at, title }: { at: string; title?: string | undefined }) {
    const isHydrated = useHydrated()
    return (
      <time dateTime={at} title={title} data-format={format} suppressHydrationWarning>
        {(!isHydrated && onServer?.(at)) || formats(isHydrated).format(new Date(at))}
      </time>
    )
  }
}

const universalOf = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

const Full = shownIn({ dateStyle: 'medium', timeStyle: 'short' }, universalOf)
const Hour = shownIn({ timeStyle: 'short' })
export const Day = shownIn({ dateStyle: 'medium' })

export const Time = ({ at, relative = false }: { at: string; relative?: boolean }) =>
  relative ? (
    // A distance comes from the server, too. Its clock may be a second behind.
    <time dateTime={at} title={universalOf(at)} suppressHydrationWarning>
      {distance(new Date(at))}
    </time>
  ) : (
    <Full at={at} />
  )

export const Clock = ({ at }: { at: string }) => (
  <Hour at={at} title={useHydrated() ? distance(new Date(at)) : undefined} />
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
