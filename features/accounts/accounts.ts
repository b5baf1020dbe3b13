import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import { checkName } from '../../plugins/forms/names.ts'
import { text } from '../../plugins/languages/index.ts'
import { record, recording } from '../activity/index.ts'
import { lockUser, type Reauthentication } from '../reauthentication/index.ts'
import { type Actor, asManager, asMember, recordIn } from './actor.ts'
import { broadcastDeletion, broadcastToMembers, recheckMembers } from './channel.ts'
import { maxAccounts, mayJoin } from './members.ts'
import { checkOwnFactor } from './second-factor-requirement.ts'
import { freeSlug } from './slugs.ts'

const maxNameLength = 60

/** Validates the name of a new account. Throws Invalid. */
export const checkAccountName = (name: string) => checkName(name, maxNameLength)

/** Creates an account for a user who may have too many already. Throws Invalid. */
export async function createAnotherAccount(tx: Tx, name: string, ownerId: number) {
  if (!(await mayJoin(tx, ownerId)))
    throw new Invalid({ name: [text('you have {max} workspaces already', { max: maxAccounts })] })
  return createAccount(tx, name, ownerId)
}

/** Creates an account and makes it the owner's last-used one. */
export async function createAccount(tx: Tx, name: string, ownerId: number, { personal = false } = {}) {
  for (;;) {
    const slug = await freeSlug(tx, name)
    const values = { name, slug, personal }
    const [account] = await tx.insert(accounts).values(values).onConflictDoNothing().returning({ id: accounts.id })
    if (!account) continue // the slug was taken since it was looked up
    const { id } = account
    await Promise.all([
      tx.insert(memberships).values({ accountId: id, userId: ownerId, role: 'owner' }),
      rememberAccount(tx, ownerId, id),
      record(tx, 'account_created', { accountId: id, actorId: ownerId, userId: ownerId }),
    ])
    return { id, slug }
  }
}

/** Named exactly after the user, even if no other account may have a name that long. */
export const createPersonalAccount = (tx: Tx, user: { id: number; name: string }) =>
  createAccount(tx, user.name, user.id, { personal: true })

type LastUsed = { id: number; lastAccountId: number | null }

/**
 * Selects the slug of the account that the user used last, or of the first one they joined. No row if they have none.
 */
export const selectLastUsedSlug = (db: Database | Tx, user: LastUsed | Record<keyof LastUsed, SQL>) =>
  db
    .select({ slug: accounts.slug })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, user.id))
    .orderBy(desc(sql`${memberships.accountId} is not distinct from ${user.lastAccountId}::bigint`), memberships.id)
    .limit(1)

/** Undefined if the user has no account. */
export async function lastUsedSlug(db: Database, user: LastUsed) {
  const [account] = await selectLastUsedSlug(db, user)
  return account?.slug
}

/** The slug of the account created at sign-up, while the user still owns it. It is their oldest one. */
export async function personalSlug(db: Database, userId: number) {
  const [account] = await db
    .select({ slug: accounts.slug })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner'), eq(accounts.personal, true)))
    .orderBy(memberships.id)
    .limit(1)
  return account?.slug ?? null
}

/**
 * Remembers a visit for `/`, `/dashboard` and the next sign-in. `updated_at` stays, since the user's own data did not
 * change.
 */
export const rememberAccount = (db: Database | Tx, userId: number, accountId: number) =>
  db.update(users).set({ lastAccountId: accountId, updatedAt: users.updatedAt }).where(eq(users.id, userId))

type AccountUpdate = {
  name?: string | undefined
  requireSecondFactor?: boolean | undefined
  reauthentication?: Reauthentication | undefined
}

/**
 * Renames an account. The slug stays, because there are links to it. Owners may also require a second factor of all
 * members, which locks out members without one at once, and with a reauthentication stop requiring it. Returns whether
 * the requirement changed. Throws NotFound, Denied, or Invalid if the owner has no second factor or did not confirm.
 */
export const updateAccount = (
  db: Database,
  actor: Actor,
  { name, requireSecondFactor, reauthentication }: AccountUpdate,
) =>
  asManager(db, actor, async (tx, role) => {
    const { accountId, userId } = actor
    if (requireSecondFactor !== undefined && role !== 'owner') throw new Denied()
    if (requireSecondFactor) await checkOwnFactor(tx, userId)
    const here = eq(accounts.id, accountId)
    const [before] = await tx.select().from(accounts).where(here)
    const changes = requireSecondFactor !== undefined && requireSecondFactor !== before?.requireSecondFactor
    await tx
      .update(accounts)
      .set({ name: name ?? sql`${accounts.name}`, requireSecondFactor })
      .where(here)
    await broadcastToMembers(tx, accountId, 'account')
    if (before && name !== undefined && before.name !== name)
      await recordIn(tx, actor, 'account_renamed', { from: before.name, to: name })
    if (changes) await recheckMembers(tx, accountId)
    if (changes && !requireSecondFactor) {
      // It may have been set only after the form was checked. Last, since it locks the user (deleteAccount).
      if (!reauthentication) throw new Invalid({ password_challenge: [text('is invalid')] })
      await lockUser(tx, userId, reauthentication)
    }
    return changes
  })

/** Deletes the account and everything in it. Throws NotFound, Denied or Invalid. */
export const deleteAccount = (db: Database, actor: Actor, reauthentication: Reauthentication) =>
  asMember(db, actor, async (tx, role) => {
    if (role !== 'owner') throw new Denied()
    const { accountId, userId: actorId } = actor
    const owners = sql`${memberships} owner where owner.account_id = ${accountId} and owner.role = 'owner'`
    await tx.execute(recording('account_deleted', { accountId, actorId, userId: sql`owner.user_id` }, owners))
    await broadcastDeletion(tx, accountId, actorId)
    await tx.delete(accounts).where(eq(accounts.id, accountId))
    await recheckMembers(tx, accountId)
    // Last, since it locks the user: a concurrent deletion of another account of theirs locks its members first, and
    // the two could deadlock.
    await lockUser(tx, actorId, reauthentication)
  })

/** Locks these accounts, in a fixed order, so concurrent transactions do not deadlock. Returns those that exist. */
export async function lockAccounts(tx: Tx, ids: number[]) {
  const which = inArray(accounts.id, ids)
  const locked = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(which)
    .orderBy(asc(accounts.id))
    .for('update')
  return locked.map(({ id }) => id)
}
