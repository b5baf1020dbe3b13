import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { memberships, ofAccount } from './accounts.ts'
import { reference, timestamptz } from './columns.ts'

/** The link with which anyone may join. It goes with the membership of the manager who made it. */
export const invitationLinks = pgTable(
  'invitation_links',
  {
    accountId: ofAccount().primaryKey(),
    membershipId: reference()
      .notNull()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    tokenDigest: text().notNull().unique(),
    uses: integer().notNull().default(0),
    createdAt: timestamptz().notNull().defaultNow(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.membershipId)],
)
