import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import { checkName } from '../../plugins/forms/names.ts'
import { text } from '../../plugins/languages/index.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { recording } from '../activity/index.ts'
import { type Actor, lockRole, manages, maxAccounts, mayJoin } from './memberships.ts'
import { checkOwnFactor } from './requirement.ts'
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
  const created = { accountId: sql`account.id`, actorId: ownerId, userId: ownerId, account_name: name }
  for (;;) {
    const slug = await freeSlug(tx, name)
    const [account] = await tx.execute<{ id: string }>(sql`
      with account as (
        insert into ${accounts} (name, slug, personal) values (${name}, ${slug}, ${personal})
        on conflict do nothing returning id
      ), membership as (
        insert into ${memberships} (account_id, user_id, role) select id, ${ownerId}::bigint, 'owner' from account
      ), owner as (
        update ${users} set last_account_id = account.id from account where ${users.id} = ${ownerId}
      ), recorded as (${recording('account_created', created, sql`account`)})
      select id from account`)
    if (!account) continue // the slug was taken since it was looked up
    const id = Number(account.id)
    await emit(tx, 'member_joined', id, { actorId: ownerId, userId: ownerId })
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
export const rememberAccount = (db: Database, userId: number, accountId: number) =>
  db.update(users).set({ lastAccountId: accountId, updatedAt: users.updatedAt }).where(eq(users.id, userId))

type AccountUpdate = {
  name: string
  requireSecondFactor?: boolean | undefined
  reauthentication?: Reauthentication | undefined
}

/**
 * Renames an account. The slug stays, because there are links to it. Owners may also require a second factor of all
 * members, which locks out members without one at once, and with a reauthentication stop requiring it. Returns whether
 * the requirement changed. Throws NotFound, Denied, or Invalid if the owner has no second factor or did not confirm.
 */
export function updateAccount(
  db: Database,
  actor: Actor,
  { name, requireSecondFactor, reauthentication }: AccountUpdate,
) {
  const { accountId, userId: actorId } = actor
  const renamed = { accountId, actorId, from: sql`renamed.name`, to: name }
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const role = await lockRole(tx, actor)
    if (!manages(role)) throw new Denied()
    if (requireSecondFactor !== undefined && role !== 'owner') throw new Denied()
    if (requireSecondFactor) await checkOwnFactor(tx, actorId)
    const changes = requireSecondFactor !== undefined && (await setRequirement(tx, accountId, requireSecondFactor))
    // A single statement, so the record contains the old name.
    const rename = tx.execute(sql`
      with renamed as (select name from ${accounts} where id = ${accountId} and name <> ${name}), recorded as (
        ${recording('account_renamed', renamed, sql`renamed`)}
      )
      update ${accounts} set name = ${name}, updated_at = now() where id = ${accountId}`)
    await Promise.all([rename, emit(tx, 'account_changed', accountId), emit(tx, 'activity_recorded', accountId)])
    if (changes && !requireSecondFactor) {
      // It may have been set only after the form was checked. Last, since it locks the user (deleteAccount).
      if (!reauthentication) throw new Invalid({ password_challenge: [text('is invalid')] })
      await lockUser(tx, actorId, reauthentication)
    }
    return changes
  })
}

/** Returns false if nothing changes. */
async function setRequirement(tx: Tx, accountId: number, requireSecondFactor: boolean) {
  const differs = and(eq(accounts.id, accountId), ne(accounts.requireSecondFactor, requireSecondFactor))
  const changed = await tx.update(accounts).set({ requireSecondFactor }).where(differs).returning({ id: accounts.id })
  if (changed.length > 0) await emit(tx, 'account_access_changed', accountId)
  return changed.length > 0
}

/** Deletes the account and everything in it. Throws NotFound, Denied or Invalid. */
export async function deleteAccount(db: Database, actor: Actor, reauthentication: Reauthentication) {
  const { accountId, userId: actorId } = actor
  const deleted = { accountId, actorId, userId: sql`owner.user_id` }
  await whileSignedIn(db, actor.sessionToken, async (tx) => {
    if ((await lockRole(tx, actor)) !== 'owner') throw new Denied()
    const deletion = tx.execute(sql`
      with owner as (select user_id from ${memberships} where account_id = ${accountId} and role = 'owner'),
      recorded as (
        ${recording('account_deleted', deleted, sql`owner`)}
      )
      delete from ${accounts} where id = ${accountId}`)
    await emit(tx, 'account_deleted', accountId, { actorId })
    await Promise.all([deletion, emit(tx, 'account_access_changed', accountId)])
    // Last, since it locks the user: a concurrent deletion of another account of theirs locks its members first, and
    // the two could deadlock.
    await lockUser(tx, actorId, reauthentication)
  })
}
