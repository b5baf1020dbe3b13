import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

export const tokenScopes = ['read', 'write'] as const

/**
 * Tokens of the API. Stores only the digest. `hasSecondFactor` says whether the session in which it was created began
 * with two factors, `twoFactorsSince` what the session had of it, and `passedConnections` which single sign-on it had
 * passed.
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
    twoFactorsSince: timestamptz(),
    passedConnections: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
    createdAt: timestamptz().notNull().defaultNow(),
    expiresAt: timestamptz().notNull(),
    /** When the mail about its end was queued, or a successor made it needless. */
    expiryMailedAt: timestamptz(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id), index().on(table.expiresAt)],
)

export type ApiToken = typeof apiTokens.$inferSelect
