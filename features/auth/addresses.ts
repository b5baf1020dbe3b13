import { isDeepStrictEqual } from 'node:util'
import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { type Database, isUniqueViolation, StaleRead, type Tx } from '../../plugins/database/index.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { nobodysDigest } from '../../plugins/security/digests.ts'
import { lifetimesMs } from '../../plugins/security/tokens.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { joinedAccounts } from '../accounts/claims.ts'
import { accountsConcerned } from '../accounts/endings.ts'
import { withdrawSince } from '../accounts/invitations.ts'
import { record } from '../activity/index.ts'
import { deleteSessions } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'
import { accountsToLock, deleteLocked, neverVerified } from './user-deletion.ts'

// An address belongs to the person who proved that they read its mail, not to the first who typed it. Users who did not
// verify it give it up.

/** A user who has an address without having verified it, and the change from one that they can get back. */
export type UnverifiedOwner = {
  id: number
  neverVerified: boolean
  restorableChange?: Change
  /** Of the password that the person chose, who then needs no mail to choose one. */
  passwordDigest?: string | undefined
}
type Change = typeof emailChanges.$inferSelect

/**
 * The users who must give up their addresses before a person who proved this one can have it. The first has it now, or
 * has the address that the next one in turn gets back: a user whose earlier address was verified returns to that. The
 * departing user is the one who gets `email` back, and gives up their own. Undefined if a verified or suspended user
 * stands in the way, and for a sign-up also if a user verified another address that they cannot get back: their data
 * must be neither given away nor deleted.
 */
export async function unverifiedOwnersOf(db: Database | Tx, email: string, departingUserId?: number) {
  const owners = await ownersInChain(db, [email], departingUserId)
  const last = owners?.at(-1)
  const isSignUp = departingUserId === undefined
  return isSignUp && last && !last.restorableChange && !last.neverVerified ? undefined : owners
}

/** A suspended user must neither come back by giving up an address, nor lose it. */
const keepsAddress = sql<boolean>`(${users.verified} or ${users.suspendedAt} is not null)`

async function ownersInChain(
  db: Database | Tx,
  emails: string[],
  departingUserId?: number,
): Promise<UnverifiedOwner[] | undefined> {
  const [owner] = await db
    .select({ id: users.id, isKept: keepsAddress, neverVerified: sql<boolean>`${neverVerified}` })
    .from(users)
    .where(eq(users.email, emails.at(-1) ?? ''))
  if (!owner || owner.id === departingUserId) return []
  if (owner.isKept) return undefined
  const { isKept: _, ...unverified } = owner
  const [restorableChange] = await db
    .select()
    .from(emailChanges)
    .where(eq(emailChanges.userId, owner.id))
    .orderBy(desc(emailChanges.id))
    .limit(1)
  if (!restorableChange) return [unverified]
  if (emails.includes(restorableChange.previousEmail)) return undefined
  const others = await ownersInChain(db, [...emails, restorableChange.previousEmail], departingUserId)
  return others ? [...others, { ...unverified, restorableChange }] : [unverified]
}

/** The user who never verified any address, whom a sign-up replaces. */
export const replaceableIn = (owners: UnverifiedOwner[]) =>
  owners.find(({ restorableChange }, at) => !restorableChange && at === owners.length - 1)

/**
 * Earlier addresses of the user whose mail about the change has a link that still works: for mails that end what
 * somebody else may have set up, which such a link would bring back.
 */
export async function restorableInWords({ db, now }: FastifyInstance, userId: number) {
  const changes = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId)).orderBy(emailChanges.id)
  const words: Text[] = []
  for (const { previousEmail: email, createdAt } of changes) {
    const time = { at: new Date(createdAt.getTime() + lifetimesMs.email_change), precision: 'second' } as const
    if (time.at <= now() || !(await unverifiedOwnersOf(db, email, userId))) continue
    words.push(
      text('Your address was {email} before. Until {time}, a link that we sent there can take this account back.', {
        email,
        time,
      }),
    )
  }
  return words
}

/** Whether someone who has proved `email` may sign up with it. `replaceable`: they replace an unverified user. */
export async function availabilityOf(db: Database, email: string) {
  const owners = await unverifiedOwnersOf(db, email)
  if (!owners) return 'taken'
  return replaceableIn(owners) ? 'replaceable' : 'free'
}

type Locks = { departingUserId?: number | undefined; accountId?: number | undefined }

/** Locks these users, and before them the accounts that they are in or changed. Throws StaleRead. */
export async function lockUnverifiedOwners(
  app: FastifyInstance,
  tx: Tx,
  email: string,
  { departingUserId, accountId }: Locks = {},
) {
  const owners = await unverifiedOwnersOf(tx, email, departingUserId)
  if (!owners) return undefined
  const ids = [...owners.map(({ id }) => id), ...(departingUserId ? [departingUserId] : [])]
  const concerned = accountId ? [accountId] : []
  for (const id of ids) concerned.push(...(await accountsToLock(tx, id)), ...(await accountsConcerned(app, tx, id)))
  const accounts = await lockAccounts(tx, concerned)
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(asc(users.id)).for('update')
  if (!isDeepStrictEqual(await unverifiedOwnersOf(tx, email, departingUserId), owners)) throw new StaleRead()
  return { owners, accounts }
}

export type LockedOwners = NonNullable<Awaited<ReturnType<typeof lockUnverifiedOwners>>>

/** Users who verified another address before get that one back, all others are deleted. Throws StaleRead. */
export async function releaseAddress(app: FastifyInstance, tx: Tx, { owners, accounts }: LockedOwners) {
  const ids = owners.map(({ id }) => id)
  const freed = { email: sql`${users.id}::text` }
  // Free all addresses first, since one user may get back what another one has now.
  await tx.update(users).set(freed).where(inArray(users.id, ids))
  for (const { id, restorableChange, passwordDigest } of owners) {
    if (restorableChange) await restoreEmail(app, tx, { id, accounts, passwordDigest }, restorableChange)
    else await deleteLocked(app, tx, id, accounts, { keepsSlugs: false })
  }
}

type Locked = { id: number; accounts: number[]; passwordDigest: string | undefined }

/**
 * Undoes this change and all later ones. Everything that was added may be a stranger's, so sessions and sign-in methods
 * are removed, what was sent since is withdrawn, and the password is void until the person sets a new one, unless they
 * have just done so. The mail for it has no limit, or strangers could use it up to keep the person out. Throws
 * StaleRead if one of the accounts concerned is not locked.
 */
async function restoreEmail(app: FastifyInstance, tx: Tx, locked: Locked, change: Change) {
  const { id: userId, passwordDigest } = locked
  const joined = await joinedAccounts(tx, userId)
  if (!joined.every(({ id }) => locked.accounts.includes(id))) throw new StaleRead()
  await tx.delete(emailChanges).where(and(eq(emailChanges.userId, userId), gte(emailChanges.id, change.id)))
  const { previousEmail: email, previousVerifiedAt, previousProved } = change
  const emailRevision = sql`${users.emailRevision} + 1`
  const verifiedAt = previousVerifiedAt ?? sql`${users.verifiedAt}`
  // Whoever chooses a password with the link of a mail reads this mailbox, as with that of a reset.
  const provedEmail = (previousProved || passwordDigest) && { provedEmail: email }
  const password = { passwordDigest: passwordDigest ?? nobodysDigest }
  const values = { email, emailRevision, verified: true, verifiedAt, ...provedEmail, ...password }
  const [user] = await tx
    .update(users)
    .set(values)
    .where(eq(users.id, userId))
    .returning()
    .catch((error) => {
      // Somebody signed up with it meanwhile.
      throw isUniqueViolation(error) ? new StaleRead() : error
    })
  if (!user) throw new StaleRead()
  await deleteSessions(tx, userId)
  const ways = await removeSignInMethods(app, tx, user, locked.accounts)
  const since = change.createdAt
  const ownedIds = joined.filter(({ isOwned }) => isOwned).map(({ id }) => id)
  await withdrawSince(app, tx, 'userRestored', { userId, since, ownedIds })
  await record(tx, 'email_changed', { userId, actorId: null, since: since.toISOString(), ways })
  if (!passwordDigest) await app.mail.queue(tx, 'password_reset', { email })
  else await record(tx, 'password_reset', { userId })
}
