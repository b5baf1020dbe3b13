import { and, eq, gt, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, memberships, sessions, type User, users } from '../../drizzle/schema.ts'
import { StaleRead, type Tx } from '../../plugins/database/index.ts'
import { forgetPresence } from '../../plugins/live/presence.ts'
import { lockSession } from '../../plugins/security/session-transaction.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { keepSlugs } from '../accounts/slugs.ts'
import { accountsConcerning, type DeletedUser, removeFromAccounts } from '../accounts/user-deletion.ts'
import { forgetUser } from '../activity/forget.ts'
import { queueNotice } from './notices.ts'
import { lockUserAndConsumeProof, type Reauthenticated } from './reauthentication/index.ts'
import { deleteSessions } from './sessions.ts'

/** Throws SignedOut, or Invalid if the reauthentication is no longer valid. */
export const deleteUser = (app: FastifyInstance, { userId, token, reauthentication }: Reauthenticated) =>
  app.db.transaction(async (tx) => {
    const locked = await lockAccounts(tx, await accountsToLock(tx, userId))
    const { email, verified, language } = await lockUserAndConsumeProof(tx, userId, reauthentication)
    await lockSession(tx, token)
    await deleteLocked(app, tx, userId, locked, { keepsSlugs: true })
    await queueNotice(app, tx, { email, verified }, 'user_deleted', { email, language })
  })

type Removal = {
  /** Has to hold once the user is locked. */
  condition?: SQL
  /** Whether the slugs of accounts that go with the user stay taken. Not for users whom somebody else signed up. */
  keepsSlugs: boolean
}

/** Without a session. Returns whether the user was removed. Throws StaleRead. */
export async function removeUser(app: FastifyInstance, tx: Tx, userId: number, removal: Removal) {
  const { condition, keepsSlugs } = removal
  const locked = await lockAccounts(tx, await accountsToLock(tx, userId))
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  // A separate statement, which sees what changed while the first one waited for the lock.
  if ((await tx.$count(users, and(eq(users.id, userId), condition))) === 0) return false
  await deleteLocked(app, tx, userId, locked, { keepsSlugs })
  return true
}

type RemovedUser = Pick<User, 'id' | 'email' | 'verified' | 'language'>

/**
 * For operators: as the deletion by the user themselves, with its mail. Returns whether there was still such a user.
 */
export async function removeUserWithNotice(app: FastifyInstance, tx: Tx, user: RemovedUser) {
  const { id, email, language } = user
  if (!(await removeUser(app, tx, id, { keepsSlugs: true }))) return false
  await queueNotice(app, tx, user, 'user_deleted', { email, language })
  return true
}

/** The accounts to lock before this user is. */
export const accountsToLock = async (tx: Tx, userId: number) => accountsConcerning(tx, await deletedUser(tx, userId))

/** The user and these accounts must be locked. Throws StaleRead if more accounts are concerned by now. */
export async function deleteLocked(
  app: FastifyInstance,
  tx: Tx,
  userId: number,
  locked: number[],
  { keepsSlugs }: Pick<Removal, 'keepsSlugs'>,
) {
  const user = await deletedUser(tx, userId)
  const concerned = await accountsConcerning(tx, user)
  if (!concerned.every((id) => locked.includes(id))) throw new StaleRead()

  const slugs = await removeFromAccounts(app, tx, user, concerned)
  if (keepsSlugs) await keepSlugs(app, tx, slugs, null)
  await app.jobs.forget(tx, user.emails)
  await deleteSessions(tx, userId) // before their presence, as everything that locks both does
  await forgetPresence(tx, userId)
  await tx.delete(users).where(eq(users.id, userId))
  await forgetUser(tx, userId, concerned)
}

/**
 * With the email addresses that they proved, also former ones unless another user has them now. What was sent to others
 * stays: anyone could sign up with an address, or change to it, to delete the invitations of its owner.
 */
async function deletedUser(tx: Tx, userId: number): Promise<DeletedUser> {
  const { rows } = await tx.execute<{ email: string }>(sql`
    select email from ${users} where id = ${userId} and proved_email = email
    union
    select previous_email from ${emailChanges} change where user_id = ${userId} and previous_proved and not exists (
      select from ${users} other where other.email = change.previous_email and other.id <> change.user_id
    )`)
  return { userId, emails: rows.map(({ email }) => email) }
}

export const neverVerified = and(
  not(users.verified),
  isNull(users.verifiedAt),
  sql`not exists (select from ${emailChanges} where ${emailChanges.userId} = ${users.id})`,
)

const batchSize = 100
const thirtyDaysMs = 2_592_000_000

export function sweepUsers(app: FastifyInstance) {
  const monthAgo = () => new Date(app.now().getTime() - thirtyDaysMs)
  app.sweeper.add({
    table: emailChanges,
    // Until the new address is verified, the change may have to be undone.
    isExpired: () =>
      and(
        lt(emailChanges.createdAt, monthAgo()),
        sql`exists (select from ${users} where ${users.id} = ${emailChanges.userId} and ${users.verified})`,
      ),
  })

  // Users who never proved an address, were not seen for 30 days, and share no account with anyone. They are deleted,
  // or they would keep others from signing up with addresses that may not be theirs.
  const isAbandoned = () =>
    and(
      lt(users.createdAt, monthAgo()),
      neverVerified,
      isNull(users.suspendedAt),
      sql`not exists (select from ${sessions} seen
        where seen.user_id = ${users.id} and seen.last_seen_at >= ${monthAgo().toISOString()})`,
      sql`not exists (select from ${memberships} mine
        join ${memberships} other on other.account_id = mine.account_id and other.user_id <> mine.user_id
        where mine.user_id = ${users.id})`,
    )
  app.sweeper.add({
    table: users,
    async sweep(signal) {
      let removed = 0
      let last = 0 // a user who cannot be deleted must not stop those behind them
      while (!signal?.aborted) {
        const isNext = and(gt(users.id, last), isAbandoned())
        const abandoned = await app.db
          .select({ id: users.id })
          .from(users)
          .where(isNext)
          .orderBy(users.id)
          .limit(batchSize)
        if (abandoned.length === 0) break
        for (const { id } of abandoned) {
          last = id
          try {
            removed += Number(
              await app.db.transaction((tx) =>
                removeUser(app, tx, id, { condition: isAbandoned(), keepsSlugs: false }),
              ),
            )
          } catch (err) {
            app.log.error({ err, user: id }, 'an abandoned user could not be deleted')
          }
        }
      }
      return removed
    },
  })
}
