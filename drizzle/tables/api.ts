import { index, pgTable } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { tokenColumns } from './token-columns.ts'
import { ofUser } from './users.ts'

/** Tokens of users. `twoFactorsSince` is what the session had of it. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: ofUser().notNull(),
    ...tokenColumns(),
    twoFactorsSince: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id), index().on(table.expiresAt)],
)

export type ApiToken = typeof apiTokens.$inferSelect
