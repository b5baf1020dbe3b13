import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { memberships, ofAccount } from './accounts.ts'
import { id, reference, timestamptz } from './columns.ts'
import { sessions } from './sessions.ts'
import { ofUser } from './users.ts'

/**
 * When, and by whom, who may be deleted: no foreign key, which would lock rows of accounts that they have left. Rows of
 * version 0.3 don't say who.
 */
const added = () => ({ createdAt: timestamptz().notNull().defaultNow(), creatorId: reference() })

/** Domains of email addresses, with A-labels. `record` is the random part of the TXT record that proves one. */
export const ssoDomains = pgTable(
  'sso_domains',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    domain: text().notNull(),
    record: text().notNull(),
    verifiedAt: timestamptz(),
    /** When its server last said whether the record is there, and on how many days in a row it wasn't. */
    lookedAt: timestamptz(),
    daysAbsent: integer().notNull().default(0),
    /** When an owner last had it looked for in vain, and the value that was there instead. */
    missedAt: timestamptz(),
    otherValue: text(),
    ...added(),
  },
  (table) => [
    uniqueIndex().on(table.accountId, table.domain),
    uniqueIndex('sso_domains_one_verified').on(table.domain).where(sql`${table.verifiedAt} is not null`),
  ],
)
export type SsoDomain = typeof ssoDomains.$inferSelect

/**
 * The OpenID provider of a workspace. `issuer` is as the provider writes it, `secret` is sealed. Another issuer or
 * client is another row, so what people proved to the old one is void.
 */
export const ssoConnections = pgTable('sso_connections', {
  id: id(),
  accountId: ofAccount().notNull().unique(),
  issuer: text().notNull(),
  clientId: text().notNull(),
  secret: text().notNull(),
  ...added(),
  usedAt: timestamptz(),
  /** Of the newest refusal since then, or since an owner dismissed it, and how many there were. */
  failureReason: text(),
  failureAt: timestamptz(),
  failureCount: integer().notNull().default(0),
})
export type SsoConnection = typeof ssoConnections.$inferSelect

/**
 * With which somebody who has no account sets up single sign-on. It goes with the membership of the owner who made it.
 */
export const ssoSetupLinks = pgTable(
  'sso_setup_links',
  {
    accountId: ofAccount().primaryKey(),
    membershipId: reference()
      .notNull()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    tokenDigest: text().notNull().unique(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.membershipId)],
)

/**
 * Whom the provider of a workspace knows as which user. The row stays without a subject when the identity is
 * disconnected or the provider replaced: whoever had one joins only once, so that a removed member stays removed.
 */
export const ssoIdentities = pgTable(
  'sso_identities',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    userId: ofUser().notNull(),
    subject: text(),
    email: text(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastUsedAt: timestamptz(),
  },
  (table) => [
    uniqueIndex().on(table.accountId, table.userId),
    uniqueIndex().on(table.accountId, table.subject),
    index().on(table.userId, table.id),
  ],
)
export type SsoIdentity = typeof ssoIdentities.$inferSelect

/** Which sessions came through which connection, and when. A session keeps its passes when it gets a new token. */
export const ssoPasses = pgTable(
  'sso_passes',
  {
    sessionToken: text()
      .notNull()
      .references(() => sessions.token, { onDelete: 'cascade', onUpdate: 'cascade' }),
    connectionId: reference()
      .notNull()
      .references(() => ssoConnections.id, { onDelete: 'cascade' }),
    passedAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionToken, table.connectionId] }), index().on(table.connectionId)],
)

/**
 * Authenticator apps and passkeys that were set up in a session to which the account was open, although it required
 * single sign-on. Without a foreign key to the account, which would be locked after the user.
 */
export const ssoFactors = pgTable(
  'sso_factors',
  { userId: ofUser().notNull(), accountId: reference().notNull(), setUpAt: timestamptz().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.accountId, table.setUpAt] }), index().on(table.accountId)],
)

/** Keyed digests of the addresses and subjects of removed members, whom single sign-on must not bring back. */
export const removedMembers = pgTable(
  'removed_members',
  { accountId: ofAccount().notNull(), digest: text().notNull(), createdAt: timestamptz().notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.digest] })],
)
