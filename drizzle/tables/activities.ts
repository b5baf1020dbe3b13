import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, reference, timestamptz } from './columns.ts'

/**
 * What happened, to whom (`userId`), where (`accountId`) and by whom. No foreign keys, because the history outlives
 * the rows it mentions. Traces of a deleted user are anonymized.
 */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    type: text().notNull(),
    actorId: reference(),
    actorName: text(),
    userId: reference(),
    accountId: reference(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    // Partial, because most rows concern a single user and go into one index only.
    index().on(table.userId, table.createdAt, table.id).where(sql`${table.userId} is not null`),
    index().on(table.accountId, table.createdAt, table.id).where(sql`${table.accountId} is not null`),
    index().on(table.accountId, table.id).where(sql`${table.accountId} is not null`), // for programs that follow
    index().on(table.createdAt), // for the sweeper
    index('activities_done_to_others') // for anonymizing a deleted user
      .on(table.actorId)
      .where(sql`${table.actorId} is distinct from ${table.userId}`),
  ],
)
