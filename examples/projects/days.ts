const dayMs = 86_400_000

/** The day that it is at this instant, in UTC. */
export const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

export const addDays = (day: string, count: number) => dayOf(new Date(Date.parse(day) + count * dayMs))

export const formatDay = (locale: string, day: string, dateStyle: 'medium' | 'long' = 'medium') =>
  new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC', numberingSystem: 'latn' }).format(new Date(day))
