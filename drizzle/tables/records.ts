import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, moment, reference } from './columns.ts'

/**
 * What happened, to whom (`userId`), where (`accountId`) and by whom. No foreign keys, because the history outlives the
 * rows it mentions. Names are as of that time. Traces of a deleted user are anonymized.
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
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // Both lists are read by position. The indexes are partial: most rows concern a single user and go into one index
    // only.
    index().on(table.userId, table.id).where(sql`${table.userId} is not null`),
    index().on(table.accountId, table.id).where(sql`${table.accountId} is not null`),
    index('activities_done_to_others') // for anonymizing a deleted user
      .on(table.actorId)
      .where(sql`${table.actorId} is distinct from ${table.userId}`),
  ],
)

// The tables below hold nothing worth keeping: counters of a day at most, and current state. Migrations make them
// unlogged: no WAL, and empty after a crash.

export const rateLimits = pgTable(
  'rate_limits',
  { key: text().primaryKey(), hits: integer().notNull(), expiresAt: moment().notNull() },
  (table) => [index().on(table.expiresAt)],
)

/**
 * Who is in which room. Of a user's tabs, others see the state of the one that changed last. Heartbeats change no
 * indexed column and pages have free space, so updates happen in place.
 */
export const presences = pgTable(
  'presences',
  {
    identifier: text().notNull(),
    userId: reference().notNull(),
    tabId: text().notNull(),
    state: jsonb().notNull(),
    changedAt: moment().notNull().defaultNow(),
    expiresAt: moment().notNull(),
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
  { id: id(), payload: text().notNull(), createdAt: moment().notNull().defaultNow() },
  (table) => [index().on(table.createdAt)],
)
