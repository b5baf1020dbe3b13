import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  type Account,
  accounts,
  invitations,
  memberships,
  sessionFactors,
  sessions,
  type User,
  users,
} from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Auth } from '../../plugins/security/session.ts'
import { countPending } from './invitations.ts'
import { countMatches } from './members.ts'
import type { FirstStep } from './props.ts'

// What the overview of an account answers, after the page is shown.

const maxOwners = 3
const maxFaces = 10
const newForMs = 30 * 86_400_000

/** What managers ask of an account. Expired invitations are open, too, until they are sent again or revoked. */
export async function figuresOf(app: FastifyInstance, { id, requireSecondFactor }: Account) {
  const { db, now } = app
  const [open, expired, owners, withoutFactor] = await Promise.all([
    countPending(db, id),
    countPending(db, id, { which: lte(invitations.expiresAt, now()) }),
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

/** What members ask of an account: who is in it, who owns it, and since when they belong. */
export async function peopleIn(db: Database, accountId: number, userId: number) {
  const ofAccount = eq(memberships.accountId, accountId)
  const some = db
    .select({ user_id: users.id, name: users.name, picture: users.picture })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(ofAccount)
    .orderBy(asc(memberships.id))
    .limit(maxFaces)
  const joined = db
    .select({ joinedAt: memberships.createdAt })
    .from(memberships)
    .where(and(ofAccount, eq(memberships.userId, userId)))
  const [faces, owners, [membership]] = await Promise.all([some, ownersOf(db, accountId), joined])
  return { faces, owners, joinedAt: membership?.joinedAt }
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

/** Whether a passkey would make the user's sign-ins easier. They need a verified address to add one. */
export async function isPasskeyWorthOffering(db: Database, { user, session }: Auth) {
  if (!user.verified) return false
  const hasPasskey = sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${user.id})`
  const [began] = await db
    .select({ firstFactor: sessionFactors.firstFactor, hasPasskey })
    .from(sessions)
    .where(eq(sessions.token, session.token))
  return began !== undefined && !began.hasPasskey && began.firstFactor === 'password'
}

type Newcomer = Pick<User, 'id' | 'verified' | 'picture' | 'createdAt'>

/** What a new user has yet to do, and the manager of a shared account in which nobody else was invited. */
export async function firstStepsOf({ db, now }: FastifyInstance, user: Newcomer, account: Account, isManager: boolean) {
  const isNew = user.createdAt.getTime() > now().getTime() - newForMs
  const isOfOthers = sql`${accounts.personalUserId} is distinct from ${user.id}`
  const { rows } = await db.execute<{ has_passkey: boolean; has_account: boolean; is_alone: boolean }>(sql`
    select
      exists (select from ${passkeys} where ${passkeys.userId} = ${user.id}) as has_passkey,
      exists (
        select from ${memberships} join ${accounts} on ${accounts.id} = ${memberships.accountId}
        where ${memberships.userId} = ${user.id} and ${isOfOthers}
      ) as has_account,
      not exists (select from ${invitations} where ${invitations.accountId} = ${account.id}) and not exists (
        select from ${memberships}
        where ${memberships.accountId} = ${account.id} and ${memberships.userId} <> ${user.id}
      ) as is_alone`)
  const [state] = rows
  const isToDo: Record<FirstStep, boolean> = {
    email: isNew && !user.verified,
    picture: isNew && !user.picture,
    passkey: isNew && state?.has_passkey === false,
    workspace: isNew && state?.has_account === false,
    invitation: isManager && !account.personal && state?.is_alone === true,
  }
  return (Object.keys(isToDo) as FirstStep[]).filter((step) => isToDo[step])
}
