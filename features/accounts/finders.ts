import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { authColumns } from '../../plugins/security/session.ts'
import type { SessionPolicy } from '../../plugins/security/session-policy.ts'
import { lacksFactor } from './requirement.ts'

// Prepared once per application: every account page runs these queries.

/** A user's accounts by name, as JSON text: it is compared with the browser's copy more often than it is sent. */
const accountsAsJson = (userId: SQL | typeof users.id) => sql<string>`(
  select coalesce(json_agg(json_build_object('name', own.name, 'slug', own.slug) order by own.name, own.id), '[]')::text
  from ${accounts} own join ${memberships} mine on mine.account_id = own.id where mine.user_id = ${userId})`

/** The only query of an account page: session, user, account, membership and the account switcher. */
export const memberFinder = (db: Database['lookups'], policy: SessionPolicy) =>
  db
    .select({
      ...authColumns,
      account: {
        id: accounts.id,
        name: accounts.name,
        slug: accounts.slug,
        requireSecondFactor: accounts.requireSecondFactor,
      },
      membership: { role: memberships.role },
      accountList: accountsAsJson(users.id),
      // Checked only if the account requires a second factor.
      isShutOut: sql<boolean | null>`${accounts.requireSecondFactor} and ${lacksFactor(sql`${users.id}`)}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(and(eq(sessions.token, sql.placeholder('token')), policy.aliveThen()))
    .prepare('find_member')

export const selectAccountList = (db: Database['lookups'], userId: SQL) =>
  db
    .select({ list: accountsAsJson(userId) })
    .from(users)
    .where(eq(users.id, userId))

/** The account switcher alone, for pages outside of an account. */
export const accountListFinder = (db: Database['lookups']) =>
  selectAccountList(db, sql`${sql.placeholder('userId')}`).prepare('find_account_list')
