import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

/**
 * The token is the id in URLs and pages. The cookie adds a signature, so the token alone gives no access. `provider` is
 * the id of the provider that was the first factor. A passkey counts as two factors by itself. `twoFactorsSince` is
 * when the authenticator app or the passkey was set up that makes it two factors. Null with one, and in rows from
 * before it was recorded.
 */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    userId: ofUser().notNull(),
    userAgent: text().notNull(),
    ipAddress: text().notNull(),
    firstFactor: text().notNull().default('password'),
    provider: text(),
    secondFactor: text(),
    twoFactorsSince: timestamptz(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastSeenAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index().on(table.userId, table.createdAt),
    index().on(table.lastSeenAt), // these two for the sweeper
    index().on(table.createdAt),
  ],
)

/** How a session began. */
export type SessionFactors = {
  firstFactor: string
  provider?: string | null
  /** What followed the first factor. */
  secondFactor?: string | null
  twoFactorsSince?: Date | null
}

/** What a second step makes of it, with when that was set up. One that is two factors by itself replaces the first. */
export type AddedFactor = Partial<SessionFactors> & { twoFactorsSince: Date | null }
