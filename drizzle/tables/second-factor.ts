import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

/**
 * Browsers that need no second step until `expiresAt`. `device` is the digest of what their device cookie holds.
 * `twoFactorsSince` is that of the second step in which the browser was trusted.
 */
export const trustedBrowsers = pgTable(
  'trusted_browsers',
  {
    userId: ofUser().notNull(),
    device: text().notNull(),
    twoFactorsSince: timestamptz(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.device] }),
    index().on(table.device),
    index().on(table.expiresAt),
  ],
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

/** Digests only, since codes are shown once. Used codes are deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: ofUser().notNull(),
    digest: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.digest] })],
)
