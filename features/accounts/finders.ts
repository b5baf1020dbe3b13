import { and, eq, not, sql } from 'drizzle-orm'
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

// Its version changes whenever the user joins or leaves an account: ids only grow, so no two sets of memberships have
// the same number and the same newest.
const mine = sql`(
  select id, account_id from ${memberships} where user_id = ${users}.id order by id limit ${sql.raw(`${maxAccounts}`)}
) mine`
const accountVersion = sql`(select count(*) || '.' || coalesce(max(mine.id), 0) from ${mine})`
// Arrays, and sorted here, since objects and their order take Postgres half as long again, which others wait for.
const accountRows = sql`array_to_json(array(
  select json_build_array(mine.id, own.name, own.slug, own.picture)
  from ${mine} join ${accounts} own on own.id = mine.account_id
))`
type AccountRow = [id: number, name: string, slug: string, picture: string | null]

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

const byNameAndId = ([id, name]: AccountRow, [otherId, other]: AccountRow) =>
  name < other ? -1 : name > other ? 1 : id - otherId

const listAccounts = (rows: AccountRow[]): Listed<AccountReference> => ({
  version: `${rows.length}.${Math.max(0, ...rows.map(([id]) => id))}`,
  list: rows.sort(byNameAndId).map(([, name, slug, picture]) => ({ name, slug, picture })),
})

const accountList = ({ withLists }: Wanted) =>
  withLists
    ? accountRows.mapWith(listAccounts)
    : accountVersion.mapWith((version: string): Listed<AccountReference> => ({ version, list: null }))

/** One subquery for the list and its version: two cost Postgres a quarter of the whole statement. */
const invitationList = ({ withLists }: Wanted) =>
  sql`array_to_json(array(${withLists ? invitationRows : invitationIds}))`.mapWith(
    (items: OpenInvitation[]): Listed<OpenInvitation> => ({
      version: items.map(({ id }) => id).join('.'),
      list: withLists || items.length === 0 ? items : null,
    }),
  )

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
