import { isDeepStrictEqual } from 'node:util'
import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { nobodysDigest } from '../../plugins/security/digests.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { record } from '../activity/index.ts'
import { removeSignInMethods } from './removals.ts'
import { deleteSessions } from './sessions.ts'
import { accountsToLock, ChangedMeanwhile, deleteLocked, neverVerified } from './user-deletion.ts'

// An address belongs to the person who proved that they read its mail, not to the first who typed it. Users who did not
// verify it make way.

/** A user who has an address without having verified it. `former` is the change from one that they can get back. */
export type Holder = { id: number; never: boolean; former?: Change }
type Change = typeof emailChanges.$inferSelect

/**
 * The users who must make way before this address can be given to someone who proved it. A user who gets an address
 * back comes after the user who has it now. Undefined if someone verified it. `leaving` is a user who gets the address
 * back and gives up their own. A sign-up also stops at a user who verified another address and cannot get it back:
 * their data must be neither given away nor deleted.
 */
export async function holdersOf(db: Database | Tx, email: string, leaving?: number) {
  const holders = await chainTo(db, [email], leaving)
  const holder = holders?.at(-1)
  return leaving === undefined && holder && !holder.former && !holder.never ? undefined : holders
}

async function chainTo(db: Database | Tx, promised: string[], leaving?: number): Promise<Holder[] | undefined> {
  const [holder] = await db
    .select({ id: users.id, verified: users.verified, never: sql<boolean>`${neverVerified}` })
    .from(users)
    .where(eq(users.email, promised.at(-1) ?? ''))
  if (!holder || holder.id === leaving) return []
  if (holder.verified) return undefined
  const { id, never } = holder
  const ofHolder = eq(emailChanges.userId, id)
  const [former] = await db.select().from(emailChanges).where(ofHolder).orderBy(desc(emailChanges.id)).limit(1)
  if (!former) return [{ id, never }]
  if (promised.includes(former.previousEmail)) return undefined
  const others = await chainTo(db, [...promised, former.previousEmail], leaving)
  return others ? [...others, { id, never, former }] : [{ id, never }]
}

/** The user who never proved any address, whom a sign-up replaces. */
export const replaceableIn = (holders: Holder[]) =>
  holders.find(({ former }, at) => !former && at === holders.length - 1)

/** Of a proved address. `unproved` if a sign-up takes the place of the unverified user who has it. */
export async function availabilityOf(db: Database, email: string) {
  const holders = await holdersOf(db, email)
  if (!holders) return 'taken'
  return replaceableIn(holders) ? 'unproved' : 'free'
}

type Locks = { leaving?: number | undefined; accountId?: number | undefined }

/** Locks these users, and before them the accounts that a deletion of the first concerns. Throws ChangedMeanwhile. */
export async function lockHolders(tx: Tx, email: string, { leaving, accountId }: Locks = {}) {
  const holders = await holdersOf(tx, email, leaving)
  if (!holders) return undefined
  const [first] = holders
  const concerned = first && !first.former ? await accountsToLock(tx, first.id) : []
  const locked = await lockAccounts(tx, [...concerned, ...(accountId ? [accountId] : [])])
  const ids = [...holders.map(({ id }) => id), ...(leaving ? [leaving] : [])]
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(asc(users.id)).for('update')
  if (!isDeepStrictEqual(await holdersOf(tx, email, leaving), holders)) throw new ChangedMeanwhile()
  return { holders, accounts: locked.filter((id) => concerned.includes(id)) }
}

export type LockedHolders = NonNullable<Awaited<ReturnType<typeof lockHolders>>>

/** Users who verified another address before get that one back, all others are deleted. Throws ChangedMeanwhile. */
export async function makeWay(app: FastifyInstance, tx: Tx, { holders, accounts }: LockedHolders) {
  const ids = holders.map(({ id }) => id)
  const freed = { email: sql`${users.id}::text` }
  // Free all addresses first, since one user may get back what another one has now.
  await tx.update(users).set(freed).where(inArray(users.id, ids))
  for (const { id, former } of holders) {
    if (former) await restoreEmail(app, tx, id, former)
    else await deleteLocked(app, tx, id, accounts)
  }
}

/**
 * Undoes this change and all later ones. Everything that was added may be a stranger's, so sessions and sign-in methods
 * are removed, and the password is void until the person sets a new one. That mail has no limit, or strangers could use
 * it up to keep the person out.
 */
async function restoreEmail(app: FastifyInstance, tx: Tx, userId: number, change: Change) {
  const later = and(eq(emailChanges.userId, userId), gte(emailChanges.id, change.id))
  await tx.delete(emailChanges).where(later)
  const { previousEmail: email, previousVerifiedAt } = change
  const emailRevision = sql`${users.emailRevision} + 1`
  const verifiedAt = previousVerifiedAt ?? sql`${users.verifiedAt}`
  const values = { email, emailRevision, verified: true, verifiedAt, passwordDigest: nobodysDigest }
  const [user] = await tx.update(users).set(values).where(eq(users.id, userId)).returning()
  if (!user) throw new ChangedMeanwhile()
  await deleteSessions(tx, userId)
  await removeSignInMethods(app, tx, user)
  await record(tx, 'email_changed', { userId, actorId: null })
  await app.mail.queue(tx, 'password_reset', { email })
}
