import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

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

/** Digests only, since codes are shown once. Used codes are deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ofUser().notNull(),
    digest: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
)

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

/** Challenges of passkeys and starts of providers that have been answered, kept until they expire. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { challenge: text().primaryKey(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/** What the version before wrote. Dropped one version later, since it may still be running. */
export const spentStarts = pgTable(
  'spent_starts',
  { state: text().primaryKey(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)
