import { isDeepStrictEqual } from 'node:util'
import { and, asc, desc, eq, gte, inArray, isNull, not, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { nobodysDigest } from '../../plugins/security/digests.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { record } from '../activity/index.ts'
import { deleteSessions } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'
import { accountsConcerning, ChangedMeanwhile, deleteLocked } from './user-deletion.ts'

// An address belongs to whoever proves that they read its mail, and not to whoever typed it first: only a user who
// verified it keeps others from it. Everyone else makes way.

/** Users who never proved any address. */
export const neverVerified = and(
  not(users.verified),
  isNull(users.verifiedAt),
  sql`not exists (select from ${emailChanges} where ${emailChanges.userId} = ${users.id})`,
)

/** Who has an address without having verified it. `former` is the change that gave up one that they can get back. */
export type Holder = { id: number; never: boolean; former?: Change }
type Change = typeof emailChanges.$inferSelect

/**
 * Who has to make way before this address can be given to someone who proved it, in this order: whoever gets an address
 * back comes after whoever has that one now. Undefined if someone verified it. `leaving` is a user who gets the address
 * back, and whose own is free by then. A sign-up also stops at someone who verified another address and cannot get it
 * back: what they have is neither given away nor deleted.
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

/** Who never proved any address, and whose place is taken by a sign-up of someone who proves theirs. */
export const replaceableIn = (holders: Holder[]) =>
  holders.find(({ former }, at) => !former && at === holders.length - 1)

type Locks = { leaving?: number | undefined; accountId?: number | undefined }

/**
 * The same with all of them locked, and before them the accounts that a deletion of the first one concerns, which are
 * returned, and `accountId`. Throws ChangedMeanwhile.
 */
export async function lockHolders(tx: Tx, email: string, { leaving, accountId }: Locks = {}) {
  const holders = await holdersOf(tx, email, leaving)
  if (!holders) return undefined
  const [first] = holders
  const concerned = first && !first.former ? await accountsConcerning(tx, first.id) : []
  const locked = await lockAccounts(tx, [...concerned, ...(accountId ? [accountId] : [])])
  const ids = [...holders.map(({ id }) => id), ...(leaving ? [leaving] : [])]
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(asc(users.id)).for('update')
  if (!isDeepStrictEqual(await holdersOf(tx, email, leaving), holders)) throw new ChangedMeanwhile()
  return { holders, accounts: locked.filter((id) => concerned.includes(id)) }
}

export type LockedHolders = NonNullable<Awaited<ReturnType<typeof lockHolders>>>

/** Who verified another address before gets that one back, everyone else is deleted. Throws ChangedMeanwhile. */
export async function makeWay(app: FastifyInstance, tx: Tx, { holders, accounts }: LockedHolders) {
  const leaving = inArray(
    users.id,
    holders.map(({ id }) => id),
  )
  // Nobody has an address from here on: one may get back what another had, and what was sent to it is not theirs.
  await tx
    .update(users)
    .set({ email: sql`${users.id}::text` })
    .where(leaving)
  for (const { id, former } of holders) {
    if (former) await restoreEmail(app, tx, id, former)
    else await deleteLocked(app, tx, id, accounts)
  }
}

/**
 * Undoes this change and all later ones. Whatever was added may be a stranger's, whenever that was: sessions and other
 * ways in end, and the password is void until the person sets a new one. The mail that lets them do so has no limit,
 * or strangers who use it up would keep them out.
 */
async function restoreEmail(app: FastifyInstance, tx: Tx, userId: number, change: Change) {
  const later = and(eq(emailChanges.userId, userId), gte(emailChanges.id, change.id))
  await tx.delete(emailChanges).where(later)
  const { previousEmail: email, previousVerifiedAt } = change
  const [user] = await tx
    .update(users)
    .set({
      email,
      emailRevision: sql`${users.emailRevision} + 1`,
      verified: true,
      verifiedAt: previousVerifiedAt ?? sql`${users.verifiedAt}`,
      passwordDigest: nobodysDigest,
    })
    .where(eq(users.id, userId))
    .returning()
  if (!user) throw new ChangedMeanwhile()
  await deleteSessions(tx, userId)
  await removeSignInMethods(app, tx, user)
  await record(tx, 'email_changed', { userId, actorId: null })
  await app.mail.queue(tx, 'password_reset', { email })
}
