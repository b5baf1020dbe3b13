import { sql } from 'drizzle-orm'
import { check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { bytea, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

/** A new picture has a new random key, so browsers may keep them for ever. The owner's row has it, too. */
export const pictures = pgTable(
  'pictures',
  {
    key: text().primaryKey(),
    userId: ofUser(),
    accountId: ofAccount(),
    bytes: bytea().notNull(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex().on(table.userId),
    uniqueIndex().on(table.accountId),
    check('pictures_have_one_owner', sql`num_nonnulls(${table.userId}, ${table.accountId}) = 1`),
  ],
)
