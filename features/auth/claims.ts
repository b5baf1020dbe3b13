import { and, desc, eq, gte, isNull, ne, not, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, pictures, sessions, type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { nobodysDigest } from '../../plugins/security/digests.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { ownedBy, removeOthers } from '../accounts/claims.ts'
import { record } from '../activity/index.ts'
import { queuePasswordReset } from './passwords.ts'
import { deleteSessions } from './sessions.ts'

// An address belongs to whoever proves that they read its mail, and not to whoever signed up with it first.

type App = Pick<FastifyInstance, 'jobs' | 'mail' | 'now' | 'signInMethods'>

/** Users who never proved any address. */
export const neverVerified = and(
  not(users.verified),
  isNull(users.verifiedAt),
  sql`not exists (select from ${emailChanges} where ${emailChanges.userId} = ${users.id})`,
)

/** Whether the address can be claimed: its user never verified any, or has one to go back to. */
export async function isClaimable(db: Database, email: string) {
  const [user] = await db
    .select({ id: users.id, never: sql<boolean>`${neverVerified}` })
    .from(users)
    .where(and(eq(users.email, email), not(users.verified)))
  return user !== undefined && (user.never || (await formerAddress(db, user.id)) !== undefined)
}

/** The change that gave up the address to go back to: this one, or the last. Undefined if someone else has it now. */
export async function formerAddress(db: Database | Tx, userId: number, changeId?: number) {
  const which = changeId === undefined ? undefined : eq(emailChanges.id, changeId)
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), which))
    .orderBy(desc(emailChanges.id))
    .limit(1)
  const isAnothers = change && and(eq(users.email, change.previousEmail), ne(users.id, userId))
  return isAnothers && (await db.$count(users, isAnothers)) === 0 ? change : undefined
}

/**
 * Gives the user, who must be locked, the address back from before this change, or the one that they verified last.
 * Later changes are undone with it. Whatever came since may be a stranger's: sessions and other ways in end, and the
 * password is void until they set a new one. Returns false if there is no such address.
 */
export async function undoEmailChange(app: App, tx: Tx, user: User, changeId?: number) {
  const former = await formerAddress(tx, user.id, changeId)
  if (!former) return false
  const { previousEmail: email, createdAt: since } = former
  const verified = { email, verified: true, verifiedAt: former.previousVerifiedAt ?? user.verifiedAt }
  const emailRevision = sql`${users.emailRevision} + 1`
  await tx
    .update(users)
    .set({ ...verified, emailRevision, passwordDigest: nobodysDigest })
    .where(eq(users.id, user.id))
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, user.id), gte(emailChanges.id, former.id)))
  await deleteSessions(tx, user.id)
  await app.signInMethods.remove(tx, user, { since })
  await record(tx, 'email_changed', { userId: user.id, actorId: null })
  await queuePasswordReset(app, tx, email)
  return true
}

type Claimant = { name: string; email: string; passwordDigest: string | null; language?: string }
type Followed = { invitation: { id: number; accountId: number } }

/**
 * Hands the address over to someone whom an invitation's mail reached there, or for whom a provider vouches. Returns
 * the user whom they take the place of, `free` if it belongs to nobody (any more), `taken` if it is someone's, and
 * `changed` if accounts were added meanwhile: then nothing was done.
 */
export async function claim(app: App, tx: Tx, claimant: Claimant, followed?: Followed) {
  const { id: invitationId = 0, accountId } = followed?.invitation ?? {} // no invitation has the id 0
  const [found] = await tx.select({ id: users.id }).from(users).where(eq(users.email, claimant.email))
  if (!found) return 'free'
  // Accounts come first, as everywhere, together with the one that the invitation leads to.
  const held = await ownedBy(tx, found.id)
  await lockAccounts(tx, [...held, ...(accountId ? [accountId] : [])])
  const theirs = and(eq(users.id, found.id), eq(users.email, claimant.email))
  const [user] = await tx.select().from(users).where(theirs).for('update')
  if (!user) return 'changed'
  if ((await tx.$count(users, and(theirs, neverVerified))) === 0) {
    return !user.verified && (await undoEmailChange(app, tx, user)) ? 'free' : 'taken'
  }
  const owned = await ownedBy(tx, user.id)
  if (!owned.every((id) => held.includes(id))) return 'changed'

  await removeOthers(tx, owned, { ownerId: user.id, except: invitationId })
  await app.signInMethods.remove(tx, user, {})
  await tx.delete(sessions).where(eq(sessions.userId, user.id))
  await Promise.all([app.jobs.forget(tx, [user.email]), emit(tx, 'user_replaced', user.id)])
  await tx.delete(pictures).where(eq(pictures.userId, user.id))
  const { name, passwordDigest, language } = claimant
  const [claimed] = await tx
    .update(users)
    .set({ name, passwordDigest, language, picture: null, passkeyHandle: null, verified: true, verifiedAt: app.now() })
    .where(eq(users.id, user.id))
    .returning()
  return claimed ?? 'changed'
}
