import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { reference, timestamptz } from './columns.ts'

// Migrations make these tables unlogged: they hold counters of a day at most and current state, and are empty after a
// crash.

export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), hits: integer().notNull(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/** Who is in which room. Of a user's tabs, others see the state of the one that changed last. */
export const presences = pgTable(
  'presences',
  {
    identifier: text().notNull(),
    userId: reference().notNull(),
    tabId: text().notNull(),
    state: jsonb().notNull(),
    changedAt: timestamptz().notNull().defaultNow(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.identifier, table.userId, table.tabId] }),
    index().on(table.userId),
    index().on(table.expiresAt),
  ],
)

/** What works once and was used, kept until it expires. Named after the first use that it had. */
export const oneTimeValues = pgTable(
  'spent_challenges',
  { value: text('challenge').primaryKey(), expiresAt: timestamptz().notNull() },
  (table) => [index().on(table.expiresAt)],
)
