/**
 * A day of the calendar without a time zone, such as `2026-12-24`: a birthday, or when something is due. As an instant
 * it would be the day before for half of the world. Postgres stores it as `date`.
 */
type Day = string

/** The day, if it exists and is from 1800 to 2999: old enough for a birthday, and no year that is half typed. */
export function dayIn(value: unknown): Day | undefined {
  if (typeof value !== 'string' || !/^(1[89]|2\d)\d\d-\d\d-\d\d$/.test(value)) return undefined
  const day = new Date(value)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? value : undefined
}
