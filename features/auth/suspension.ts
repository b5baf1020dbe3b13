import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { currentRequest } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { forgetPresence } from '../../plugins/live/index.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { joinedAccounts } from '../accounts/claims.ts'
import { withdrawSince } from '../accounts/invitations.ts'
import { paths } from '../paths.ts'
import { recordWithNotice } from './notices.ts'
import { endPendingSignIns } from './pending-sign-in.ts'
import { ChangedMeanwhile } from './retries.ts'
import { deleteSessions } from './sessions.ts'
import { accountsToLock } from './user-deletion.ts'

export const maxReasonLength = 200
const ever = new Date(0)

/**
 * Keeps a user out until `unsuspend`, and ends everything through which they act or invite. False if they are suspended
 * already, which changes only the reason. Throws ChangedMeanwhile, so it runs in `withRetries`.
 */
export async function suspend(app: FastifyInstance, tx: Tx, userId: number, reason: string | null) {
  const locked = await lockAccounts(tx, await accountsToLock(tx, userId))
  const user = await lockUserRow(tx, userId)
  const joined = await joinedAccounts(tx, userId)
  if (!joined.every(({ id }) => locked.includes(id))) throw new ChangedMeanwhile()
  await setSuspension(tx, userId, { suspendedAt: user?.suspendedAt ?? app.now(), suspensionReason: reason })
  if (!user || user.suspendedAt) return false

  await deleteSessions(tx, userId)
  await forgetPresence(tx, userId)
  await endPendingSignIns(app, tx, userId)
  const ownedIds = joined.filter(({ isOwned }) => isOwned).map(({ id }) => id)
  await withdrawSince(app, tx, 'userSuspended', { userId, since: ever, ownedIds })
  await recordWithNotice(app, tx, user, 'suspended', { actorId: null })
  return true
}

/** Returns false if the user was not suspended. */
export async function unsuspend(app: FastifyInstance, tx: Tx, userId: number) {
  const user = await lockUserRow(tx, userId)
  if (!user?.suspendedAt) return false
  await setSuspension(tx, userId, { suspendedAt: null, suspensionReason: null })
  await recordWithNotice(app, tx, user, 'unsuspended', { actorId: null })
  return true
}

async function lockUserRow(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  return user
}

const setSuspension = (tx: Tx, userId: number, values: Pick<User, 'suspendedAt' | 'suspensionReason'>) =>
  tx
    .update(users)
    .set({ ...values, updatedAt: users.updatedAt })
    .where(eq(users.id, userId))

/** For a transaction that would begin a session. Rolls it back, so that nothing was used up in vain. Throws Refused. */
export function requireUnsuspended({ id, suspendedAt }: User) {
  if (!suspendedAt) return
  currentRequest()?.security('sign_in', 'refused', { user: id, reason: 'suspended' })
  throw new Refused(text('Your account is suspended'), { page: paths.signInPage().url })
}
