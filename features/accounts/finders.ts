import { and, eq, not, type SQL, sql } from 'drizzle-orm'
import { accounts, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { authColumns } from '../../plugins/security/session.ts'
import { hasTwoFactors } from '../../plugins/security/session-method.ts'
import type { SessionPolicy } from '../../plugins/security/session-policy.ts'
import { maxAccounts } from './members.ts'
import type { AccountReference, OpenInvitation } from './props.ts'
import { hasFactor, missingIn } from './second-factor-requirement.ts'

// Prepared once per application: every account page runs these queries.

/** A list of the account switcher, if it is wanted. The version changes with what is in it. */
export type Listed<Item> = { version: string; list: Item[] | null }

export type Lists = { accounts: Listed<AccountReference>; open_invitations: Listed<OpenInvitation> }

const maxShown = 20 // open invitations

// By name. Its version changes whenever the user joins or leaves an account: ids only grow, so no two sets of
// memberships have the same number and the same newest.
const mine = sql`(
  select id, account_id from ${memberships} where user_id = ${users}.id order by id limit ${sql.raw(`${maxAccounts}`)}
) mine`
const accountIds = sql`select json_build_object('id', mine.id) from ${mine}`
const accountRows = sql`
  select json_build_object('id', mine.id, 'name', own.name, 'slug', own.slug, 'picture', own.picture)
  from ${mine} join ${accounts} own on own.id = mine.account_id order by own.name, own.id`

// Of a user with a verified address, newest first: their ids are the version. Reads the index on the address.
const open = sql`(
  select id, account_id, inviter_id from ${invitations}
  where email = ${users}.email and ${users}.verified and accepted_at is null
    and expires_at > ${sql.placeholder('at')}::timestamptz
  order by id desc limit ${sql.raw(`${maxShown}`)}
) open`
const invitationIds = sql`select json_build_object('id', open.id) from ${open}`
const invitationRows = sql`
  select json_build_object('id', open.id, 'account_name', place.name, 'inviter_name', inviter.name)
  from ${open}
  join ${accounts} place on place.id = open.account_id left join ${users} inviter on inviter.id = open.inviter_id
  order by open.id desc`

type Wanted = { withLists: boolean }

/** One subquery for a list and its version: two cost Postgres a quarter of the whole statement. */
const listed = <Item extends { id: number }>(rows: SQL, { withLists }: Wanted, versionOf: (ids: number[]) => string) =>
  sql`array_to_json(array(${rows}))`.mapWith(
    (items: Item[]): Listed<Item> => ({
      version: versionOf(items.map(({ id }) => id)),
      list: withLists || items.length === 0 ? items : null,
    }),
  )

const accountList = (wanted: Wanted) =>
  listed<AccountReference & { id: number }>(
    wanted.withLists ? accountRows : accountIds,
    wanted,
    (ids) => `${ids.length}.${Math.max(0, ...ids)}`,
  )
const invitationList = (wanted: Wanted) =>
  listed<OpenInvitation>(wanted.withLists ? invitationRows : invitationIds, wanted, (ids) => ids.join('.'))

/**
 * The only query of an account page: session, user, account, membership and, unless the browser has them, the accounts
 * of the account switcher. Most people have no open invitation, so these are another query.
 */
export const memberFinder = (db: Database['lookups'], policy: SessionPolicy, wanted: Wanted) =>
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
      accounts: accountList(wanted),
      open_invitations: invitationList({ withLists: false }),
      missing: missingIn(accounts.requireSecondFactor, not(hasFactor), hasTwoFactors(sessions.method)),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.slug, sql.placeholder('slug')))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.userId, users.id)))
    .where(and(eq(sessions.token, sql.placeholder('token')), policy.isActiveAt()))
    .prepare(wanted.withLists ? 'find_member_and_lists' : 'find_member')

/** The account switcher alone, for pages outside of an account. */
export const listsFinder = (db: Database['lookups'], wanted: Wanted) =>
  db
    .select({ accounts: accountList(wanted), open_invitations: invitationList(wanted) })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare(wanted.withLists ? 'find_lists' : 'find_list_versions')
