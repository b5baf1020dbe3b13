import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, reference, timestamptz } from './columns.ts'

/**
 * What operators looked at, searched and did. No foreign keys and no names: it outlives the people it mentions.
 * Commands have neither an operator nor an IP address.
 */
export const operatorLog = pgTable(
  'operator_log',
  {
    id: id(),
    operatorId: reference(),
    action: text().notNull(),
    userId: reference(),
    accountId: reference(),
    ipAddress: text(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)], // for the sweeper
)
