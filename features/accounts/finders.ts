import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accounts, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { authColumns } from '../../plugins/security/session.ts'
import { hasTwoFactors } from '../../plugins/security/session-method.ts'
import type { SessionPolicy } from '../../plugins/security/session-policy.ts'
import { maxAccounts } from './members.ts'
import { missingIn } from './requirement.ts'

// Prepared once per application: every account page runs these queries.

type UserId = SQL | typeof users.id

/**
 * The version of a user's accounts, followed by the list by name as JSON if it is wanted. The version changes whenever
 * the user joins or leaves an account: ids only grow, so no two sets of memberships have the same number and the same
 * newest. It reads an index only, for a tenth of what the list costs.
 */
function accountsOf(userId: UserId, withList: boolean) {
  const version = sql`count(*) || '.' || coalesce(max(mine.id), 0)`
  const own = sql`(
    select id, account_id from ${memberships} where user_id = ${userId} order by id limit ${sql.raw(`${maxAccounts}`)}
  ) mine`
  const list = sql`
    coalesce(json_agg(
      json_build_object('name', own.name, 'slug', own.slug, 'picture', own.picture) order by own.name, own.id
    ), '[]')`
  return withList
    ? sql<string>`(select ${version} || ' ' || ${list} from ${own} join ${accounts} own on own.id = mine.account_id)`
    : sql<string>`(select ${version} from ${own})`
}

/** As many open invitations are shown. */
const maxShown = 20

/**
 * The same for the open invitations of a user with a verified address, newest first: their ids are the version. Reads
 * the index on the address.
 */
function invitationsOf(withList: boolean, at: SQL = sql`${sql.placeholder('at')}`) {
  const open = sql`(
    select id, account_id, inviter_id from ${invitations}
    where email = ${users}.email and ${users}.verified and accepted_at is null and expires_at > ${at}::timestamptz
    order by id desc limit ${sql.raw(`${maxShown}`)}
  ) open`
  const version = sql`coalesce(string_agg(open.id::text, '.' order by open.id desc), '')`
  const list = sql`
    coalesce(json_agg(
      json_build_object('id', open.id, 'account_name', place.name, 'inviter_name', inviter.name) order by open.id desc
    ), '[]')`
  return withList
    ? sql<string>`(
        select ${version} || ' ' || ${list} from ${open}
        join ${accounts} place on place.id = open.account_id left join ${users} inviter on inviter.id = open.inviter_id
      )`
    : sql<string>`(select ${version} from ${open})`
}

/**
 * The only query of an account page: session, user, account, membership and, unless the browser has them, the lists of
 * the account switcher.
 */
export const memberFinder = (db: Database['lookups'], policy: SessionPolicy, { withList }: { withList: boolean }) =>
  db
    .select({
      ...authColumns,
      account: {
        id: accounts.id,
        name: accounts.name,
        slug: accounts.slug,
        picture: accounts.picture,
        requireSecondFactor: accounts.requireSecondFactor,
      },
      membership: { role: memberships.role },
      accounts: accountsOf(users.id, withList),
      openInvitations: invitationsOf(withList),
      missing: missingIn(accounts.requireSecondFactor, sql`${users.id}`, hasTwoFactors(sessions.method)),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(and(eq(sessions.token, sql.placeholder('token')), policy.aliveThen()))
    .prepare(withList ? 'find_member_and_accounts' : 'find_member')

export const selectAccounts = (db: Database['lookups'], userId: UserId, withList: boolean, at?: SQL) =>
  db
    .select({ accounts: accountsOf(userId, withList), openInvitations: invitationsOf(withList, at) })
    .from(users)
    .where(eq(users.id, userId))

/** The account switcher alone, for pages outside of an account. */
export const accountsFinder = (db: Database['lookups'], { withList }: { withList: boolean }) =>
  selectAccounts(db, sql`${sql.placeholder('userId')}::bigint`, withList).prepare(
    withList ? 'find_accounts' : 'find_accounts_version',
  )
