import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { activities, invitations } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { type Kind, typesOf } from './kinds.ts'

type Whose = { userId: number } | { accountId: number }
/** Which ones: those before this position, of these kinds. */
export type Wanted = { before?: number; kinds?: readonly Kind[] | undefined; size?: number }

export type Activity = Awaited<ReturnType<typeof selectActivities>>[number]

const pageSize = 50

/** Selects the latest activities of a user or an account, and one more, which tells whether there are others. */
export const selectActivities = (db: Database, whose: Whose, { before, kinds, size = pageSize }: Wanted = {}) =>
  db
    .select({
      id: activities.id,
      type: activities.type,
      actorId: activities.actorId,
      actorName: activities.actorName,
      details: activities.details,
      // An address is no name, so it is not kept with the activity: it is known for as long as the invitation is.
      email: invitations.email,
      ipAddress: activities.ipAddress,
      userAgent: activities.userAgent,
      createdAt: activities.createdAt,
    })
    .from(activities)
    .leftJoin(
      invitations,
      and(
        eq(invitations.accountId, activities.accountId),
        eq(invitations.id, sql`(${activities.details} ->> 'invitation_id')::bigint`),
      ),
    )
    .where(and(earlier(whose, before), kinds && inArray(activities.type, typesOf(kinds))))
    .orderBy(desc('userId' in whose ? activities.userId : activities.accountId), desc(activities.id))
    .limit(size + 1)

/**
 * As a range of one index, which is in this order. An equality would let Postgres walk all activities backwards instead, which is quick until somebody
 * has many of which all are old.
 */
function earlier(whose: Whose, before = Number.MAX_SAFE_INTEGER) {
  const [column, id] = 'userId' in whose ? [activities.userId, whose.userId] : [activities.accountId, whose.accountId]
  const position = sql`(${column}, ${activities.id})`
  return and(
    isNotNull(column),
    sql`${position} > (${id}::bigint, 0)`,
    sql`${position} < (${id}::bigint, ${before}::bigint)`,
  )
}

/** A page of them, and where the next one starts. */
export async function activitiesOf(db: Database, whose: Whose, wanted: Wanted = {}) {
  const { size = pageSize } = wanted
  const rows = await selectActivities(db, whose, wanted)
  const page = rows.slice(0, size)
  return { activities: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null }
}

/** All of them, latest first, a thousand at a time: no cursor holds a connection while somebody downloads. */
export async function* everyActivityOf(db: Database, whose: Whose) {
  for (let before: number | undefined; ; ) {
    const { activities, next } = await activitiesOf(db, whose, { size: 1_000, ...(before ? { before } : {}) })
    yield activities
    if (next === null) return
    before = next
  }
}
