import { and, count, desc, eq, inArray, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database.ts'
import { authColumns } from '../../plugins/session.ts'

/** A user's accounts by name, as JSON text: it is compared with what the browser holds more often than it is sent. */
const accountsAsJson = (userId: SQL | typeof users.id) => sql<string>`(
  select coalesce(json_agg(json_build_object('name', own.name, 'slug', own.slug) order by own.name, own.id), '[]')::text
  from ${accounts} own join ${memberships} mine on mine.account_id = own.id where mine.user_id = ${userId})`

/** The one query of an account page: session, user, account, membership and the switcher's list. */
export const memberFinder = (db: Database) =>
  db
    .select({
      ...authColumns,
      account: { id: accounts.id, name: accounts.name, slug: accounts.slug },
      membership: { id: memberships.id, role: memberships.role },
      accountList: accountsAsJson(users.id),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(eq(sessions.token, sql.placeholder('token')))
    .prepare('find_member')

/** The switcher's list by itself, for pages outside of an account. */
export const accountListFinder = (db: Database) =>
  db
    .select({ list: accountsAsJson(sql`${sql.placeholder('userId')}`) })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('find_account_list')

export async function countMembers(db: Database, accountId: number) {
  const [row] = await db.select({ members: count() }).from(memberships).where(eq(memberships.accountId, accountId))
  return row?.members ?? 0
}

/**
 * Takes a user out of all accounts: where nobody else is, the account goes too, and where no owner would be left, the longest-serving
 * admin, or else member, becomes owner. The accounts are locked first, in one order, so that two owners cannot leave at once.
 */
export async function leaveAllAccounts(tx: Tx, userId: number) {
  const own = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  const locked = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, own))
    .orderBy(accounts.id)
    .for('update')
  const ids = locked.map(({ id }) => id)
  if (ids.length === 0) return

  await tx.delete(memberships).where(eq(memberships.userId, userId))
  const someone = tx.select().from(memberships).where(eq(memberships.accountId, accounts.id))
  await tx.delete(accounts).where(and(inArray(accounts.id, ids), notExists(someone)))

  const owners = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.role, 'owner'))
  const successors = tx
    .selectDistinctOn([memberships.accountId], { id: memberships.id })
    .from(memberships)
    .where(and(inArray(memberships.accountId, ids), notInArray(memberships.accountId, owners)))
    .orderBy(memberships.accountId, desc(eq(memberships.role, 'admin')), memberships.id)
  await tx.update(memberships).set({ role: 'owner' }).where(inArray(memberships.id, successors))
}
