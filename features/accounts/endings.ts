import { asc, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Actor } from './access.ts'
import { may, type Right } from './rights.ts'

// What options and features of a product end in the transaction of its cause, so that nobody comes back by it.

declare module 'fastify' {
  interface FastifyInstance {
    endings: List<Ending>
  }
}

/** Of accounts, the user owns some. */
export type Distrust = { userId: number; since: Date; ownedIds: number[] }

type Causes = {
  /**
   * A member left or was removed by somebody, whatever their role, or is no manager any more. It is not for claims and
   * the deletion of a user, which end more. The account is locked.
   */
  managementEnded: { accountId: number; userId: number; actor: Actor | null }
  /** Somebody else removed a member, who may know what is shared in the account. It is locked. */
  memberRemoved: { accountId: number; userId: number; actor: Actor | null }
  /** All accounts that the user is a member of are locked, here and in what follows. */
  userSuspended: Distrust
  /** The user takes their account back: what was added since then may be a stranger's. */
  userRestored: Distrust
  /** Somebody proved the address of a user who never did, and takes their place. */
  userClaimed: { userId: number; ownedIds: number[] }
  /**
   * What the user added before this time, or all of it, may be a stranger's: sign-in methods are gone. The user is
   * locked, and so are the accounts that are concerned.
   */
  methodsRemoved: { userId: number; before: Date | undefined }
  /** They are locked. */
  accountsDeleted: { accountIds: number[] }
  /** The user has a new password, and all other sessions end. They are locked. */
  passwordChanged: { userId: number }
  /** The user, who is locked, has no second step of their own any more. */
  secondStepRemoved: { user: User }
  /** The last second factor of the user is gone, so nothing counts as proved with two any more. They are locked. */
  factorsWithdrawn: { userId: number }
}

/** Each handler says in which accounts it ended something, unless that was the user's own. */
type Handlers = { [Cause in keyof Causes]?: (tx: Tx, about: Causes[Cause]) => Promise<number[]> | Promise<void> }

/** Of an option, by its name. */
export type Ending = {
  name: string
  /**
   * For a user who takes their account back: accounts to lock where they added something, though they may have left.
   */
  concerns?(tx: Tx, userId: number): Promise<number[]>
  on: Handlers
}

/** The accounts to lock before what a user added ends, besides those that they are a member of. */
export async function accountsConcerned({ endings }: FastifyInstance, tx: Tx, userId: number) {
  const ids: number[] = []
  for (const { concerns } of endings) ids.push(...((await concerns?.(tx, userId)) ?? []))
  return ids
}

/**
 * Ends what options keep, each by an `Ending` that it added to `app.endings`. Returns the accounts, and by name the
 * options, in which something ended.
 */
export async function endFor<Cause extends keyof Causes>(
  { endings }: FastifyInstance,
  tx: Tx,
  cause: Cause,
  about: Causes[Cause],
) {
  const ended: { accountIds: number[]; names: string[] } = { accountIds: [], names: [] }
  for (const { name, on } of endings) {
    const accountIds = await on[cause]?.(tx, about)
    ended.accountIds.push(...(accountIds ?? []))
    if (accountIds && accountIds.length > 0) ended.names.push(name)
  }
  return ended
}

/** Without an account, in all of them. */
type Lost = { activityId: number; actorId: number | null; makerId: number; accountId?: number | undefined }

/**
 * Runs `handler` when a member of an account leaves, is removed, or gets a role without this right, and when a user is
 * suspended: what they made goes on without them.
 */
export function onMakerLost(app: FastifyInstance, right: Right, handler: (tx: Tx, lost: Lost) => Promise<unknown>) {
  type Recorded = { id: number; actorId: number | null; userId: number | null; accountId: number | null }
  const handle = (tx: Tx, { id: activityId, actorId, userId, accountId }: Recorded) =>
    handler(tx, { activityId, actorId, makerId: userId ?? 0, accountId: accountId ?? undefined })
  app.onRecorded(['member_left', 'member_removed', 'suspended'], handle)
  app.onRecorded(['role_changed'], async (tx, activity) => {
    const { from, to } = activity.details
    if (may(from, right) && !may(to, right)) await handle(tx, activity)
  })
}

/** The accounts that some of these belong to. */
export async function accountsWith(tx: Tx, table: PgTable & { accountId: PgColumn }, which: SQL | undefined) {
  const { accountId } = table
  const found = await tx
    .selectDistinct({ id: accountId })
    .from(table as PgTable)
    .where(which)
    .orderBy(asc(accountId))
  return found.map(({ id }) => id as number)
}
