import { inArray, notInArray } from 'drizzle-orm'
import { Type } from 'typebox'
import { activities } from '../../drizzle/schema.ts'
import { dayIn } from '../../plugins/languages/days.ts'
import { type Kind, typesWhere } from './activities.ts'

/** Who did it, and when: days of a time zone (UTC if null), both included. */
export type Filters = { actor: number | null; from: string | null; to: string | null; tz: string | null }

/** Parts of a query. Invalid values are ignored. */
export const filterFields = {
  actor: Type.Optional(Type.Unknown()),
  from: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
  tz: Type.Optional(Type.Unknown()),
}

export const filtersOf = ({ actor, from, to, tz }: { [Name in keyof Filters]?: unknown }): Filters => ({
  actor: typeof actor === 'string' && /^[1-9]\d{0,14}$/.test(actor) ? Number(actor) : null,
  from: dayIn(from) ?? null,
  to: dayIn(to) ?? null,
  tz: zoneOf(tz),
})

/** The first instant of the days that are asked for, and that of the day after them. */
export const timesOf = ({ from, to, tz }: Partial<Filters>) => ({
  since: from ? startOf(Date.parse(from), tz) : undefined,
  until: to ? startOf(Date.parse(to) + aDayMs, tz) : undefined,
})

const aDayMs = 86_400_000

/** Null for unknown zones and for offsets, which change in summer. */
function zoneOf(name: unknown) {
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The first instant of a day, which is given as its midnight in UTC. */
function startOf(midnight: number, tz: string | null | undefined) {
  const clock = new Intl.DateTimeFormat('sv', { timeZone: tz ?? 'UTC', dateStyle: 'short', timeStyle: 'medium' })
  const localTime = (at: number) => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`)
  // Clocks may be changed that day, even at midnight.
  const offsets = [midnight - aDayMs, midnight + aDayMs].map((at) => localTime(at) - at)
  const first = midnight - Math.max(...offsets)
  const second = midnight - Math.min(...offsets)
  return new Date(localTime(first) < midnight ? second : first)
}

/** The condition for activities of these kinds. What a product adds belongs to the account. */
export function ofKinds(kinds: readonly Kind[]) {
  const typesOf = (isAsked: boolean) => typesWhere((kind) => kinds.includes(kind) === isAsked)
  return kinds.includes('account')
    ? notInArray(activities.type, typesOf(false))
    : inArray(activities.type, typesOf(true))
}
