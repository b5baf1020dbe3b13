import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

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
