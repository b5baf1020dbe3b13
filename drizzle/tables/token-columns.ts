import { sql } from 'drizzle-orm'
import { bigint, boolean, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'

// What tables of tokens have in common.

export const tokenScopes = ['read', 'write'] as const

/**
 * Of every token, of which only the digest is stored. `hasSecondFactor` says whether the session in which it was
 * created began with two factors, and `passedConnections` which single sign-on it had passed.
 */
export const tokenColumns = () => ({
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
})
