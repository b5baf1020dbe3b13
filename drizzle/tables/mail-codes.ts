import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

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
