import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, reference, timestamps, timestamptz } from './columns.ts'
import { ofUser, users } from './users.ts'

/**
 * `personalUserId` is whose personal account it is: the user at whose sign-up it was created. Without a foreign key,
 * since others may inherit the account.
 */
export const accounts = pgTable(
  'accounts',
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    personal: boolean().notNull().default(false),
    personalUserId: reference(),
    /**
     * These three, and `memberships.outside`, stay when the option goes: version 0.3 reads and writes them, also beside
     * this one (drizzle/README.md).
     */
    requireSecondFactor: boolean().notNull().default(false),
    requireSingleSignOn: boolean().notNull().default(false),
    /** Since when, unless it was turned on before that was recorded. */
    singleSignOnRequiredAt: timestamptz(),
    picture: text(),
    ...timestamps,
  },
  (table) => [
    // These two for operators, who search by the beginning.
    index('accounts_slug_begins').on(table.slug.op('text_pattern_ops')),
    index('accounts_name_begins').on(sql`lower(${table.name}) text_pattern_ops`),
  ],
)
export type Account = typeof accounts.$inferSelect

/** Keyed digests of the slugs of deleted accounts, and who deleted them, while there is such a user. */
export const deletedSlugs = pgTable(
  'deleted_slugs',
  {
    digest: text().primaryKey(),
    userId: reference().references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.createdAt)],
)

/** What goes with its account. */
export const ofAccount = () => reference().references(() => accounts.id, { onDelete: 'cascade' })

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

const isRole = (column: AnyPgColumn) => sql`${column} in ('owner', 'admin', 'member')`

/**
 * `outside`: whether the member gets in without single sign-on although the account requires it, because their address
 * was at none of its domains when it began to require it, or when they joined later.
 */
export const memberships = pgTable(
  'memberships',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    userId: ofUser().notNull(),
    role: text({ enum: roles }).notNull(),
    outside: boolean().notNull().default(false),
    ...timestamps,
  },
  (table) => [
    uniqueIndex().on(table.accountId, table.userId),
    index().on(table.userId, table.id), // for the account switcher
    index().on(table.accountId, table.id), // for the member list
    check('memberships_role_is_known', isRole(table.role)),
  ],
)
export type Membership = typeof memberships.$inferSelect

/** Stores only the digest of the token. The token itself exists only in the mail, whose latest job is `mailId`. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    inviterId: reference().references(() => users.id, { onDelete: 'set null' }),
    email: text().notNull(),
    mailId: uuid(),
    role: text({ enum: roles }).notNull(),
    tokenDigest: text().unique(),
    expiresAt: timestamptz().notNull(),
    acceptedAt: timestamptz(),
    accepterId: ofUser(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('invitations_one_pending_for_an_address')
      .on(table.accountId, table.email)
      .where(sql`${table.acceptedAt} is null`),
    index().on(table.accountId, table.id), // for the list of an account, and its deletion
    index().on(table.inviterId),
    index().on(table.accepterId),
    index().on(table.email),
    index('invitations_ended').on(sql`coalesce(${table.acceptedAt}, ${table.expiresAt})`), // for the sweeper
    check('invitations_role_is_known', isRole(table.role)),
  ],
)
