import { and, asc, desc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { activities, invitations, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { paged, pageOf, pageSize } from '../../plugins/lists.ts'
import type { Kind } from './activities.ts'
import { type Filters, filtersOf, ofKinds, timesOf } from './filters.ts'

type Subject = { userId: number } | { accountId: number }
export type ListOptions = { kinds?: readonly Kind[] | undefined; size?: number } & Partial<Filters>
type PageOptions = ListOptions & { before?: number | undefined }
type Position = { createdAt: Date; id: number }

export type Activity = Awaited<ReturnType<typeof selectActivities>>[number]

const batchSize = 500

// Looked up for each row: a join might read all invitations, since Postgres overrates how many rows the range has.
const invitationEmail = sql`
  select invited.email from ${invitations} invited
  where invited.id = (${activities}.details ->> 'invitation_id')::bigint
    and invited.account_id = ${activities}.account_id`

const columns = {
  id: activities.id,
  type: activities.type,
  actorId: activities.actorId,
  actorName: activities.actorName,
  // A join would look it up for every activity in the range.
  picture: sql<string | null>`(select actor.picture from ${users} actor where actor.id = ${activities}.actor_id)`,
  details: activities.details,
  // Addresses are not stored with activities, so it is shown only as long as the invitation exists.
  email: sql<string | null>`(${invitationEmail})`,
  ipAddress: activities.ipAddress,
  userAgent: activities.userAgent,
  createdAt: activities.createdAt,
}

/** A page of activities, latest first, plus one row that shows whether another page follows. It ends before `end`. */
export const selectActivities = (
  db: Database,
  subject: Subject,
  { kinds, size = pageSize, ...filters }: ListOptions = {},
  end?: Position,
) =>
  db
    .select(columns)
    .from(activities)
    .where(
      and(
        within(subject, timesOf(filters), end),
        kinds && ofKinds(kinds),
        filters.actor ? eq(activities.actorId, filters.actor) : undefined,
      ),
    )
    .orderBy(
      desc('userId' in subject ? activities.userId : activities.accountId),
      desc(activities.createdAt),
      desc(activities.id),
    )
    .limit(size + 1)

export async function activitiesOf(db: Database, subject: Subject, { before, ...options }: PageOptions = {}) {
  const end = before === undefined ? undefined : await positionOf(db, before)
  return pageOf(await selectActivities(db, subject, options, end), options.size ?? pageSize)
}

/**
 * A page of what was recorded in an account after this activity, oldest first. By id: changes of an account wait for
 * each other, so what gets its id earlier is there earlier, while its time is that at which it began to wait.
 */
export async function activitiesSince(db: Database, accountId: number, since: number) {
  const rows = await db
    .select(columns)
    .from(activities)
    .where(and(eq(activities.accountId, accountId), gt(activities.id, since)))
    .orderBy(asc(activities.id))
    .limit(pageSize + 1)
  return pageOf(rows, pageSize)
}

/**
 * Where a page ends that comes before this activity. If it is gone, the one before it was recorded at about that time.
 */
async function positionOf(db: Database, id: number): Promise<Position> {
  const [row] = await db
    .select({ createdAt: activities.createdAt })
    .from(activities)
    .where(lte(activities.id, id))
    .orderBy(desc(activities.id))
    .limit(1)
  return { createdAt: row?.createdAt ?? new Date(0), id }
}

type Times = { since: Date | undefined; until: Date | undefined }

/**
 * A range of one index, in its order: activities of somebody, of some time, and before `end`. With an equality,
 * Postgres might scan all activities backwards instead. The range has a single upper end, since Postgres begins at
 * either of two.
 */
function within(subject: Subject, { since, until }: Times, end: Position | undefined) {
  const [column, id] =
    'userId' in subject ? [activities.userId, subject.userId] : [activities.accountId, subject.accountId]
  const position = sql`(${column}, ${activities.createdAt}, ${activities.id})`
  const isEndFirst = end !== undefined && (until === undefined || end.createdAt < until)
  const upper = isEndFirst ? end : { createdAt: until, id: 0 }
  return and(
    isNotNull(column),
    sql`${position} >= (${id}::bigint, ${since?.toISOString() ?? '-infinity'}::timestamptz, 0)`,
    sql`${position} < (${id}::bigint, ${upper.createdAt?.toISOString() ?? 'infinity'}::timestamptz, ${upper.id}::bigint)`,
  )
}

/** All activities as they are presented, latest first. Some at a time, so a slow download holds no connection. */
export async function* everyActivityOf<Shown>(
  db: Database,
  subject: Subject,
  present: (activity: Activity) => Shown,
  options: ListOptions = {},
) {
  let end: Position | undefined
  let isLast = false
  while (!isLast) {
    const rows = await selectActivities(db, subject, { ...options, size: batchSize }, end)
    const { page, next } = pageOf(rows, batchSize)
    yield page.map(present)
    end = page.at(-1)
    isLast = next === null
  }
}

type Query = { before?: string; kind?: Kind | 'accounts' } & { [Filter in keyof Filters]?: unknown }

export function wantedIn({ kind, actor, from, to, tz }: Query) {
  const kinds = kind === 'accounts' ? (['account', 'members'] as const) : kind && [kind]
  return { ...filtersOf({ actor, from, to, tz }), kinds }
}

export async function activityPage<PageQuery extends Query, Shown extends { id: number }>(
  db: Database,
  subject: Subject,
  size: number,
  query: PageQuery,
  present: (activity: Activity) => Shown,
) {
  const { before, kind = null } = query
  const options = { ...wantedIn(query), size, before: before ? Number(before) : undefined }
  const { page, next } = await activitiesOf(db, subject, options)
  return {
    activities: paged('before', before, () => ({ page: page.map(present), next })),
    kind: kind as NonNullable<PageQuery['kind']> | null,
    filters: filtersOf(query),
  }
}
