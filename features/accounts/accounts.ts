import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, type Role, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { checkName, Invalid, Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { record } from '../activity/index.ts'
import { maxAccountNameLength } from '../bounds.ts'
import { paths } from '../paths.ts'
import { broadcastToMembers, recordAccountActivity } from './channel.ts'
import type { Person } from './props.ts'
import { freeSlug, type SlugTools } from './slugs.ts'

const maxAccounts = 100 // of a person

export const checkAccountName = (name: string) => checkName(name, maxAccountNameLength)

export async function createAnotherAccount(app: SlugTools, tx: Tx, name: string, ownerId: number) {
  if (!(await lockAndCheckMembershipLimit(tx, ownerId)))
    throw new Invalid({ name: [text('you have {max} workspaces already', { max: maxAccounts })] })
  return createAccount(app, tx, name, ownerId)
}

/** Creates an account and makes it the owner's last-used one. */
export async function createAccount(app: SlugTools, tx: Tx, name: string, ownerId: number, { personal = false } = {}) {
  for (;;) {
    const slug = await freeSlug(app, tx, name, ownerId)
    const values = { name, slug, personal, personalUserId: personal ? ownerId : null }
    const [account] = await tx.insert(accounts).values(values).onConflictDoNothing().returning({ id: accounts.id })
    if (!account) continue // the slug was taken since it was looked up
    const { id } = account
    await tx.insert(memberships).values({ accountId: id, userId: ownerId, role: 'owner' })
    await rememberAccount(tx, ownerId, id)
    await record(tx, 'account_created', { accountId: id, actorId: ownerId, userId: ownerId })
    return { id, slug }
  }
}

export async function requireMembershipSlot(tx: Tx, userId: number, accountId?: number) {
  if (!(await lockAndCheckMembershipLimit(tx, userId, accountId))) throw new Refused(inTooMany)
}

export const inTooMany = text('You are in {max} workspaces already', { max: maxAccounts })

/** Locks the user, so that two transactions at once cannot exceed the limit. */
export async function lockAndCheckMembershipLimit(tx: Tx, userId: number, accountId = 0) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const others = and(eq(memberships.userId, userId), ne(memberships.accountId, accountId))
  return (await tx.$count(memberships, others)) < maxAccounts
}

type NewMember = { accountId: number; userId: number }

/**
 * Makes the user a member, for whom the account is then the last-used one. An existing member keeps their role. Returns
 * whether they were none before.
 */
export async function addMember(tx: Tx, member: NewMember, role: Role, by?: 'link' | 'sso') {
  const { accountId, userId } = member
  const values = { accountId, userId, role }
  const added = await tx.insert(memberships).values(values).onConflictDoNothing().returning()
  if (added.length > 0) await recordAccountActivity(tx, { accountId, userId }, 'member_joined', { userId, role, by })
  await rememberAccount(tx, userId, accountId)
  await broadcastToMembers(tx, accountId, 'members')
  return added.length > 0
}

type LastUsed = { id: number; lastAccountId: number | null }

/** The page of the account that the user used last, or of the first one they joined. Without one, where it is made. */
export async function lastUsedPath(db: Database | Tx, { id, lastAccountId }: LastUsed) {
  const isLastUsed = sql`${memberships.accountId} is not distinct from ${lastAccountId}::bigint`
  const [row] = await selectAccounts(db, id).orderBy(desc(isLastUsed), memberships.id).limit(1)
  return (row ? paths.account(row.account.slug) : paths.newAccount()).url
}

/** The accounts of a user, or those that match, each with the membership. */
export const selectAccounts = (db: Database | Tx, userId: number, which?: SQL) =>
  db
    .select({ account: accounts, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, userId), which))

/** The account created at sign-up, while the user still owns it. */
export async function personalAccountOf(db: Database | Tx, userId: number) {
  const isOwnPersonal = and(eq(memberships.role, 'owner'), eq(accounts.personalUserId, userId))
  const [personal] = await selectAccounts(db, userId, isOwnPersonal).limit(1)
  return personal?.account
}

/** Remembers a visit. `updated_at` stays, since the user's own data did not change. */
export const rememberAccount = (db: Database | Tx, userId: number, accountId: number) =>
  db.update(users).set({ lastAccountId: accountId, updatedAt: users.updatedAt }).where(eq(users.id, userId))

/** Locks these accounts in a fixed order, so concurrent transactions do not deadlock. Returns those that exist. */
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

/** Whose personal account it is, while they own it and it has their name. Null for themselves, who know whose it is. */
export const ownerShownIn = (currentUserId: SQL) => sql<Person>`case
  when ${accounts.personalUserId} is not null and ${accounts.personalUserId} is distinct from ${currentUserId} then (
    select json_build_object('picture', person.picture)
    from ${users} person join ${memberships} ownership on ownership.user_id = person.id
    where person.id = ${accounts.personalUserId} and person.name = ${accounts.name}
      and ownership.account_id = ${accounts.id} and ownership.role = 'owner') end`
