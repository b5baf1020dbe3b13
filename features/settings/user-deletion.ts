import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { lockSession } from '../../plugins/security/while-signed-in.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { accountsOf, type DeletedUser, removeFromAccounts } from '../accounts/user-deletion.ts'
import { forgetUser } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import type { Session } from '../auth/requests.ts'

type App = Pick<FastifyInstance, 'db' | 'jobs' | 'mail'>

/** Deletes the user and everything that nobody else needs. Throws SignedOut, or Invalid if the proof is void by now. */
export const deleteUser = (app: App, { userId, token }: Session, reauthentication: Reauthentication) =>
  withAccountsLocked(app.db, userId, async (tx, locked) => {
    const { email, verified, language } = await lockUser(tx, userId, reauthentication)
    await lockSession(tx, token)
    await deleteLocked(app, tx, userId, locked)
    await queueNotice(app, tx, { email, verified }, 'user_deleted', { email, language })
  })

/** The same without a session of theirs, if the condition holds once the user is locked. Returns whether it did. */
export const removeUser = (app: App, userId: number, condition?: SQL) =>
  withAccountsLocked(app.db, userId, async (tx, locked) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    // A statement of its own, which sees what changed in other tables while the lock was waited for.
    if ((await tx.$count(users, and(eq(users.id, userId), condition))) === 0) return false
    await deleteLocked(app, tx, userId, locked)
    return true
  })

/** The user joined an account after the others were locked. Rolls everything back. */
class JoinedMeanwhile extends Error {}

/**
 * Accounts are locked before the user, as everywhere, to avoid deadlocks. By the time the user is locked, the list of
 * accounts may therefore be incomplete: then `work` throws JoinedMeanwhile, and a new transaction starts.
 */
async function withAccountsLocked<Result>(
  db: Database,
  userId: number,
  work: (tx: Tx, locked: number[]) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await db.transaction(async (tx) =>
        work(tx, await lockAccounts(tx, await accountsOf(tx, await deletedUser(tx, userId)))),
      )
    } catch (error) {
      if (!(error instanceof JoinedMeanwhile)) throw error
    }
  }
}

/** Deletes a user who is locked, and so are these accounts. Throws JoinedMeanwhile if they are not all. */
async function deleteLocked({ jobs }: App, tx: Tx, userId: number, locked: number[]) {
  const user = await deletedUser(tx, userId)
  const concerned = await accountsOf(tx, user)
  if (!concerned.every((id) => locked.includes(id))) throw new JoinedMeanwhile()

  await removeFromAccounts(tx, user, locked)
  await jobs.forget(tx, user.emails)
  await emit(tx, 'user_deleted', userId)
  await tx.delete(users).where(eq(users.id, userId))
  await forgetUser(tx, userId, locked)
}

/** Includes former email addresses, unless another user has them now. */
async function deletedUser(tx: Tx, userId: number): Promise<DeletedUser> {
  const { rows } = await tx.execute<{ email: string }>(sql`
    select email from ${users} where id = ${userId}
    union
    select previous_email from ${emailChanges} change where user_id = ${userId} and not exists (
      select from ${users} other where other.email = change.previous_email and other.id <> change.user_id
    )`)
  return { userId, emails: rows.map(({ email }) => email) }
}
