import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { ofAccount } from '../../drizzle/tables/accounts.ts'
import { id, reference, timestamps } from '../../drizzle/tables/columns.ts'
import { ofUser, users } from '../../drizzle/tables/users.ts'

export const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SAR', 'JPY'] as const

/** Goes with its account, and stays without the person who created it. `remindedOf` is the due day last announced. */
export const projects = pgTable(
  'projects',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    creatorId: reference().references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    client: text().notNull(),
    rateAmount: bigint({ mode: 'number' }).notNull(),
    rateCurrency: text({ enum: currencies }).notNull(),
    dueOn: date().notNull(),
    remindedOf: date(),
    ...timestamps,
  },
  (table) => [
    unique().on(table.accountId, table.name),
    index().on(table.accountId, table.dueOn, table.id), // for the list, and the deletion of an account
    index().on(table.creatorId), // for the deletion of a user
    index().on(table.dueOn), // for reminders
    check('projects_rate_is_not_negative', sql`${table.rateAmount} >= 0`),
  ],
)
export type Project = typeof projects.$inferSelect

/** Columns of a user that are not ours: a table beside `users`, with the same id. Who never chose has no row. */
export const projectPreferences = pgTable('project_preferences', {
  userId: ofUser().primaryKey(),
  reminders: boolean().notNull(),
})
