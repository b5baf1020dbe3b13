import { and, eq, gte, lt } from 'drizzle-orm'
import { Type } from 'typebox'
import { activities } from '../../drizzle/schema.ts'

/** Who did it, and when: days in UTC, both included. */
export type Filters = { actor: number | null; from: string | null; to: string | null }

/** Parts of a query. Anything is accepted, and what makes no sense is ignored. */
export const filterFields = {
  actor: Type.Optional(Type.Unknown()),
  from: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
}

export const filtersOf = ({ actor, from, to }: { [Name in keyof Filters]?: unknown }): Filters => ({
  actor: typeof actor === 'string' && /^[1-9]\d{0,14}$/.test(actor) ? Number(actor) : null,
  from: dayOf(from),
  to: dayOf(to),
})

export const matching = ({ actor, from, to }: Partial<Filters>) =>
  and(
    actor ? eq(activities.actorId, actor) : undefined,
    from ? gte(activities.createdAt, new Date(from)) : undefined,
    to ? lt(activities.createdAt, new Date(Date.parse(to) + aDayMs)) : undefined,
  )

const aDayMs = 86_400_000

/** Null for days that do not exist, and years that nobody means, which the database may not store. */
function dayOf(given: unknown) {
  if (typeof given !== 'string' || !/^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(given)) return null
  const day = new Date(given)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given) ? given : null
}
