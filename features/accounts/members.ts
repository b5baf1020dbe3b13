import { and, asc, count, eq, gt, ilike, or, sql } from 'drizzle-orm'
import { memberships, type Role, users } from '../../drizzle/schema.ts'
import { containing, type Database, pageOf } from '../../plugins/database/index.ts'
import { hasFactor } from './requirement.ts'

const pageSize = 50
const maxChoices = 200 // of people to filter activity by

/** Filters: part of a name or address, and a role. Empty matches everybody. */
export type Search = { q: string; role: Role | '' }

const everybody: Search = { q: '', role: '' }

/**
 * A page of members in the order they joined, plus one row that shows whether another page follows. With a filter,
 * `found` is the number of matches. It is right only on the first page, which is the only one that shows it.
 */
export const selectMembers = (db: Database, accountId: number, after = 0, { q, role }: Search = everybody) =>
  db
    .select({
      id: memberships.id,
      userId: users.id,
      name: users.name,
      email: users.email,
      picture: users.picture,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      secondFactor: hasFactor,
      found: q || role ? sql<number>`(count(*) over ())::int` : sql<number>`0`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        gt(memberships.id, after),
        q ? or(ilike(users.name, containing(q)), ilike(users.email, containing(q))) : undefined,
        role ? eq(memberships.role, role) : undefined,
      ),
    )
    .orderBy(asc(memberships.id))
    .limit(pageSize + 1)

/**
 * A page of members and the position where the next one starts. With a filter, the first page also has the number of
 * matches.
 */
export async function membersOf(db: Database, accountId: number, after?: number, search?: Search) {
  const rows = await selectMembers(db, accountId, after, search)
  const { page: members, next } = pageOf(rows, pageSize)
  return { members, next, found: rows[0]?.found ?? 0 }
}

/** The first members, to choose from. */
export const peopleOf = (db: Database, accountId: number) =>
  db
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(memberships.id))
    .limit(maxChoices)

/** Whether this user is the account's only owner. */
export async function isSoleOwner(db: Database, { userId, accountId }: { userId: number; accountId: number }) {
  const owners = and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'))
  const some = await db.select({ userId: memberships.userId }).from(memberships).where(owners).limit(2)
  return some.length === 1 && some[0]?.userId === userId
}

export async function countMembers(db: Database, accountId: number) {
  const [row] = await db.select({ members: count() }).from(memberships).where(eq(memberships.accountId, accountId))
  return row?.members ?? 0
}
