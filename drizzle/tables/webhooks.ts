import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { id, reference, timestamptz } from './columns.ts'
import { users } from './users.ts'

const byUser = () => reference().references(() => users.id, { onDelete: 'set null' })

/** Where a workspace wants to hear of its activities. The secrets are sealed; the previous one signs until then. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    accountId: ofAccount().notNull(),
    url: text().notNull(),
    types: text().array().notNull(),
    secret: text().notNull(),
    previousSecret: text(),
    previousSecretUntil: timestamptz(),
    createdById: byUser(),
    createdAt: timestamptz().notNull(),
    /** Who gave it this URL, and when. */
    urlById: byUser(),
    urlAt: timestamptz().notNull(),
    disabledAt: timestamptz(),
    failingSince: timestamptz(),
  },
  (table) => [
    index().on(table.accountId, table.id),
    index().on(table.createdById), // for what ends with a user
    index().on(table.urlById),
  ],
)
export type Webhook = typeof webhooks.$inferSelect

/**
 * What was sent, or waits for it. No foreign keys: their locks would let what is recorded wait for a webhook that is
 * being removed. Without an activity it is a test. `claim` names the try that is under way, if its process lives.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    webhookId: reference().notNull(),
    accountId: reference().notNull(),
    activityId: reference(),
    type: text().notNull(),
    state: text({ enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    status: text(),
    tries: integer().notNull().default(0),
    createdAt: timestamptz().notNull(),
    dueAt: timestamptz().notNull(),
    lastTriedAt: timestamptz(),
    claim: text(),
    claimedUntil: timestamptz(),
  },
  (table) => [
    index().on(table.webhookId, table.id),
    index('webhook_deliveries_waiting')
      .on(table.accountId, table.webhookId, table.dueAt, table.id)
      .where(sql`${table.state} = 'waiting'`),
    index().on(table.createdAt), // for the sweeper
  ],
)
export type WebhookDelivery = typeof webhookDeliveries.$inferSelect
