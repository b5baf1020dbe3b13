import { and, asc, eq, gt, isNull, ne, type SQLWrapper, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { contains, pageOf, pageSize } from '../../plugins/lists.ts'
import type { Search } from './props.ts'
import { hasSecondFactor } from './requirements.ts'

const maxChoices = 200 // of people to filter activity by

export const isFilter = ({ q, role, second_factor }: Search) => q !== '' || role !== '' || second_factor !== ''

const everyone: Search = { q: '', role: '', second_factor: '' }

/** A page in the order they joined, or as the search says. */
export async function membersOf(
  app: FastifyInstance,
  accountId: number,
  after: number,
  search = everyone,
  size = pageSize,
) {
  const rows = await app.db
    .select({
      id: memberships.id,
      userId: users.id,
      name: users.name,
      email: users.email,
      picture: users.picture,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      secondFactor: hasSecondFactor(app, memberships.userId),
      lastSeenAt: lastSeenAt(memberships.userId).mapWith(sessions.lastSeenAt),
      outside: memberships.outside,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(matching(app, accountId, search), isAfter(search.sort, after)))
    .orderBy(...orderOf(search.sort), asc(memberships.id))
    .limit(size + 1)
  return pageOf(rows, size)
}

/** What comes first counts first. Who was never seen comes last. */
const keys = {
  name: (userId: SQLWrapper) => sql`(select plain_letters(who.name) from ${users} who where who.id = ${userId})`,
  seen: (userId: SQLWrapper) => sql`coalesce(-extract(epoch from ${lastSeenAt(userId)}), 'infinity')`,
}

const orderOf = (sort: Search['sort']) => (sort ? [asc(keys[sort](memberships.userId))] : [])

/** Of those who have left meanwhile, nobody knows where they stood: everybody comes after them. */
function isAfter(sort: Search['sort'], id: number) {
  if (!sort || id === 0) return gt(memberships.id, id)
  const key = sql`(select ${keys[sort](sql`last.user_id`)} from ${memberships} last where last.id = ${id})`
  return sql`coalesce((${keys[sort](memberships.userId)}, ${memberships.id}) > (${key}, ${id}::bigint), true)`
}

/** How many members match on all pages. */
export const countMatches = (app: FastifyInstance, accountId: number, search: Search) =>
  app.db.$count(memberships, matching(app, accountId, search))

const matching = (app: FastifyInstance, accountId: number, { q, role, second_factor }: Search) =>
  and(
    eq(memberships.accountId, accountId),
    q ? isNamed(memberships.userId, q) : undefined,
    role ? eq(memberships.role, role) : undefined,
    second_factor ? eq(hasSecondFactor(app, memberships.userId), second_factor === 'yes') : undefined,
  )

// Without the offset, Postgres may read the sessions of everybody, the latest first, until it meets one of the user.
export const lastSeenAt = (userId: SQLWrapper) => sql<Date | null>`(
  select max(seen.last_seen_at)
  from (select session.last_seen_at from ${sessions} session where session.user_id = ${userId} offset 0) seen)`

/** A scalar subquery, so that Postgres looks up each member. With a join, it may read the users of all workspaces. */
function isNamed(userId: SQLWrapper, q: string) {
  const searchText = sql`coalesce(who.search, plain_letters(who.name || ' ' || who.email))`
  return sql`(select ${contains(searchText, q)} from ${users} who where who.id = ${userId})`
}

export const membersToChooseFrom = (db: Database, accountId: number) =>
  db
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(memberships.id))
    .limit(maxChoices)

export const countMembers = (db: Database | Tx, accountId: number) =>
  db.$count(memberships, eq(memberships.accountId, accountId))

/** Whether somebody else owns the account. A suspended user can't manage it, and is not counted. */
export async function hasAnotherOwner(db: Database | Tx, accountId: number, userId: number) {
  const [other] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.userId), isNull(users.suspendedAt)))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'), ne(memberships.userId, userId)))
    .limit(1)
  return other !== undefined
}
