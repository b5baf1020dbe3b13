import { latin } from '../../plugins/languages/translate.ts'
import { useHydrated } from '../hooks/hydrated.ts'
import { lazily } from '../words/lazily.ts'
import { locale } from '../words/locale.ts'
import { speech, t } from '../words/t.ts'

export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  const moment = new Date(at)
  const text = useHydrated() ? (relative ? distance(moment) : full().format(moment)) : universal(at)

  return (
    <time dateTime={at} title={relative ? universal(at) : undefined}>
      {text}
    </time>
  )
}

export const Clock = ({ at }: { at: string }) => {
  const known = useHydrated()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={known ? distance(moment) : undefined}>
      {(known ? clock() : universalClock()).format(moment)}
    </time>
  )
}

// The server knows neither the reader's time zone nor the browser's date format.
const universal = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

const full = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }))
const clock = lazily(() => new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }))
const universalClock = lazily(
  () => new Intl.DateTimeFormat(latin(speech().tag), { timeStyle: 'short', timeZone: 'UTC' }),
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
