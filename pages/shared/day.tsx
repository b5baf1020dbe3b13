import { useHydrated } from '../hooks/hydrated.ts'

/** The day of a moment, in the person's own time zone. */
export function Day({ at }: { at: string }) {
  // The server does not know the zone.
  return <time dateTime={at}>{format(at, useHydrated() ? undefined : 'UTC')}</time>
}

const format = (at: string, timeZone: 'UTC' | undefined) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(new Date(at))
