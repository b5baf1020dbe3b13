import { and, eq, sql } from 'drizzle-orm'
import { accounts, memberships, type Role } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { type Credential, whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import type { Activities, ActivityType } from '../activity/activities.ts'
import { noClient, record } from '../activity/index.ts'
import { broadcastToMembers } from './channel.ts'
import { manages } from './roles.ts'
import {
  hasNoSecondFactor,
  missingIn,
  SecondFactorRequired,
  sessionHasSecondFactor,
} from './second-factor-requirement.ts'

/** The user who acts, the account, and the session or API token. Nothing is done unless that still exists. */
export type Actor = { userId: number; accountId: number; credential: Credential }

type Work<Result> = (tx: Tx, role: Role) => Promise<Result>

/** Locks the account, so that roles and requirement stay. Throws NotFound, SecondFactorRequired or SignedOut. */
export const asMember = <Result>(db: Database, actor: Actor, work: Work<Result>) =>
  whileSignedIn(db, actor.credential, async (tx) => {
    // A statement of its own, since everything else must be read after the wait for the lock.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, actor.accountId)).for('no key update')
    return work(tx, await roleOf(tx, actor))
  })

/** The same for managers. Throws Denied, too. */
export const asManager = <Result>(db: Database, actor: Actor, work: Work<Result>) =>
  asMember(db, actor, (tx, role) => {
    if (!manages(role)) throw new Denied()
    return work(tx, role)
  })

async function roleOf(tx: Tx, { userId, accountId, credential }: Actor) {
  const isSession = typeof credential === 'string'
  const proved = isSession ? sessionHasSecondFactor(sql`${credential}`) : sql`${credential.hasSecondFactor}::boolean`
  const missing = missingIn(accounts.requireSecondFactor, hasNoSecondFactor(sql`${memberships.userId}`), proved)
  const [membership] = await tx
    .select({ role: memberships.role, missing, name: accounts.name })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)))
  if (!membership) throw new NotFound()
  if (membership.missing) throw new SecondFactorRequired(membership.missing, membership.name)
  return membership.role
}

type InAccount<Type extends ActivityType> = Extract<Activities[Type], { accountId: number }>
type AccountActivity = { [Type in ActivityType]: InAccount<Type> extends never ? never : Type }[ActivityType]

/** Records what someone did in an account and announces it. Without a user, no one did it, such as a job. */
export async function recordIn<Type extends AccountActivity>(
  tx: Tx,
  { accountId, userId: actorId }: { accountId: number; userId: number | null },
  type: Type,
  details: Omit<InAccount<Type>, 'accountId' | 'actorId'>,
) {
  const about = { ...details, accountId, actorId }
  const client = actorId === null ? noClient : undefined
  const id = await record(tx, type, about as typeof about & Activities[Type], client)
  await broadcastToMembers(tx, accountId, 'activity')
  return id
}
