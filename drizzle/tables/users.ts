import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, reference, timestamps, timestamptz } from './columns.ts'

/**
 * `emailRevision` counts changes of the address, so a link to an old one stays invalid even after A→B→A.
 * `secondFactorAt` is set while a password alone is not enough. `verifiedAt` is when an address was last proved: what
 * was added to sign in with before that may be a stranger's. `provedEmail` is the address that the person proved: a
 * verification link may be opened by a mail scanner. `lastAccountId` is a hint without a foreign key, with which
 * visits and account deletions would block each other. `search` is name and address as people type what they look for,
 * written by a trigger. Rows from before it have none until the job `backfill` has run. A trigger empties
 * `operatorSince` with each change of `secondFactorAt`. `suspensionReason` is for operators alone.
 */
export const users = pgTable(
  'users',
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull().unique(),
    verified: boolean().notNull().default(false),
    verifiedAt: timestamptz(),
    provedEmail: text(),
    passwordDigest: text(),
    emailRevision: integer().notNull().default(0),
    secondFactorAt: timestamptz(),
    passkeyHandle: text(),
    picture: text(),
    language: text(),
    lastAccountId: reference(),
    search: text(),
    operatorSince: timestamptz(),
    suspendedAt: timestamptz(),
    suspensionReason: text(),
    ...timestamps,
  },
  (table) => [
    // These two for operators, who search by the beginning.
    index('users_email_begins').on(table.email.op('text_pattern_ops')),
    index('users_name_begins').on(sql`lower(${table.name}) text_pattern_ops`),
    index('users_never_verified') // for the sweeper
      .on(table.createdAt)
      .where(sql`not ${table.verified} and ${table.verifiedAt} is null`),
    index('users_without_search').on(table.id).where(sql`${table.search} is null`),
  ],
)
export type User = typeof users.$inferSelect

export type FirstFactor = 'password' | 'email_code' | 'sso' | `provider:${string}`
export type Factor = 'code' | 'recovery_code' | 'passkey'
export type SessionMethod =
  | FirstFactor
  | `${FirstFactor}_and_${'code' | 'recovery_code' | 'trusted_browser'}`
  | 'passkey'

export const ofUser = () => reference().references(() => users.id, { onDelete: 'cascade' })

/**
 * The token is the id in URLs and pages. The cookie adds a signature, so the token alone gives no access. `method` is
 * a SessionMethod.
 */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    userId: ofUser().notNull(),
    userAgent: text().notNull(),
    ipAddress: text().notNull(),
    method: text().notNull().default('password'),
    createdAt: timestamptz().notNull().defaultNow(),
    lastSeenAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index().on(table.userId, table.createdAt),
    index().on(table.lastSeenAt), // these two for the sweeper
    index().on(table.createdAt),
  ],
)

/**
 * Codes by mail, from when they are asked for. The browser that asked knows the id. User, `state` (what the code
 * depends on) and the keyed digest are written when the mail is sent, and never for an address that nobody has.
 */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: uuid().primaryKey(),
    userId: ofUser(),
    state: text(),
    digest: text(),
    tries: integer().notNull().default(0),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
)

/** Previous addresses of users. The notice of a change is sent there, and its job contains only an id. */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: id(),
    userId: ofUser().notNull(),
    previousEmail: text().notNull(),
    /** When it was verified first. Null for changes from before this was recorded. */
    previousVerifiedAt: timestamptz(),
    /** Whether the person had proved it, as `users.provedEmail` has it. */
    previousProved: boolean().notNull().default(false),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [index().on(table.userId)],
)

/**
 * The row outlives the secret, so used time steps stay used and wrong guesses stay counted. `uses` counts what ends
 * pending sign-ins, `locks` how often in a row wrong codes have locked the factor.
 */
export const secondFactors = pgTable('second_factors', {
  userId: ofUser().primaryKey(),
  secret: text(),
  setupSecret: text(),
  setupAt: timestamptz(),
  lastStep: integer(),
  uses: integer().notNull().default(0),
  wrongCodes: integer().notNull().default(0),
  locks: integer().notNull().default(0),
  lockedUntil: timestamptz(),
})
export type SecondFactor = typeof secondFactors.$inferSelect

/** `syncable` never changes, `synced` is updated at each use. `counter` is the authenticator's at its last use. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: ofUser().notNull(),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    name: text().notNull(),
    syncable: boolean().notNull(),
    synced: boolean().notNull(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id)],
)
export type Passkey = typeof passkeys.$inferSelect

/** Challenges of passkeys and starts of providers that have been answered, kept until they expire. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { challenge: text().primaryKey(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/** Issuer and subject identify a person to a provider. Email and name are only shown to the person. */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: ofUser().notNull(),
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    email: text(),
    name: text(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastUsedAt: timestamptz(),
  },
  (table) => [uniqueIndex().on(table.issuer, table.subject), index().on(table.userId, table.id)],
)
export type Identity = typeof identities.$inferSelect

/** What the version before wrote. Dropped one version later, since it may still be running. */
export const spentStarts = pgTable(
  'spent_starts',
  { state: text().primaryKey(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)

export const tokenScopes = ['read', 'write'] as const

/**
 * Tokens of the API. Stores only the digest. `hasSecondFactor` says whether the session in which it was created began
 * with two factors, `passedConnections` which single sign-on it had passed.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: ofUser().notNull(),
    name: text().notNull(),
    scope: text({ enum: tokenScopes }).notNull(),
    digest: text().notNull().unique(),
    hasSecondFactor: boolean().notNull(),
    passedConnections: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
    createdAt: timestamptz().notNull().defaultNow(),
    expiresAt: timestamptz().notNull(),
    /** When the mail about its end was queued, or a successor made it needless. */
    expiryMailedAt: timestamptz(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id)],
)
export type ApiToken = typeof apiTokens.$inferSelect

/** Browsers that need no second step until `expiresAt`. `device` is the digest of what their device cookie holds. */
export const trustedBrowsers = pgTable(
  'trusted_browsers',
  { userId: ofUser().notNull(), device: text().notNull(), expiresAt: timestamptz().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.device] }), index().on(table.device)],
)

/** Digests only, since codes are shown once. Used codes are deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ofUser().notNull(),
    digest: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
)
