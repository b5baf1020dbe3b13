import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
    // What the version before reads by. Dropped one version later.
    index().on(table.userId, table.id).where(sql`${table.userId} is not null`),
    index().on(table.accountId, table.id).where(sql`${table.accountId} is not null`),
    index().on(table.createdAt), // for the sweeper
    index('activities_done_to_others') // for anonymizing a deleted user
      .on(table.actorId)
      .where(sql`${table.actorId} is distinct from ${table.userId}`),
  ],
)

/** What operators looked at, searched and did. No foreign keys and no names: it outlives the people it mentions. */
export const operatorLog = pgTable(
  'operator_log',
  {
    id: id(),
    operatorId: reference().notNull(),
    action: text().notNull(),
    userId: reference(),
    accountId: reference(),
    ipAddress: text().notNull(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [index().on(table.createdAt)], // for the sweeper
)

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
  (table) => [primaryKey({ columns: [table.identifier, table.userId, table.tabId] })],
)

// What the version before wrote live messages to. Dropped one version later, since it may still be running.

export const liveOutbox = pgTable('live_outbox', {
  id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  payload: text().notNull(),
})
export const liveMessages = pgTable(
  'live_messages',
  { id: id(), payload: text().notNull(), createdAt: timestamptz().notNull().defaultNow() },
  (table) => [index().on(table.createdAt)],
)
