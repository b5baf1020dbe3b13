import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, memberships, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { countPending, isExpired } from './invitations.ts'
import { countMatches } from './members.ts'

// What the overview of an account answers, after the page is shown.

const maxOwners = 3
const maxFaces = 10

/** What managers ask of an account. Expired invitations are open, too, until they are sent again or revoked. */
export async function managerStats(app: FastifyInstance, { id, requireSecondFactor }: Account) {
  const { db, now } = app
  const [open, expired, owners, withoutFactor] = await Promise.all([
    countPending(db, id),
    countPending(db, id, { which: isExpired(now()) }),
    ownersOf(db, id),
    countMatches(app, id, { q: '', role: '', second_factor: 'no' }),
  ])
  return {
    invitations: { open, expired },
    owners,
    without_factor: withoutFactor,
    requires_second_factor: requireSecondFactor,
  }
}

/** What members ask of an account: who is in it, and who owns it. */
export async function peopleIn(db: Database, accountId: number) {
  const some = db
    .select({ user_id: users.id, name: users.name, picture: users.picture })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(memberships.id))
    .limit(maxFaces)
  const [faces, owners] = await Promise.all([some, ownersOf(db, accountId)])
  return { faces, owners }
}

/** Those who can act: a suspended owner is not counted. */
async function ownersOf(db: Database, accountId: number) {
  const some = await db
    .select({ name: users.name, count: sql<number>`(count(*) over ())::int` })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.userId), isNull(users.suspendedAt)))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner')))
    .orderBy(asc(memberships.id))
    .limit(maxOwners)
  return { count: some[0]?.count ?? 0, names: some.map(({ name }) => name) }
}
