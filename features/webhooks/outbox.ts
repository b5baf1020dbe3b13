import { eq, lt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import type { ActivityType } from '../activity/activities.ts'
import type { Due } from './queue.ts'
import { everyType, workspaceTypes } from './types.ts'
import type { Wake } from './worker.ts'

const monthMs = 30 * 86_400_000

/** Writes one delivery for each webhook that wants an activity, in its transaction. */
export function recordDeliveries(app: FastifyInstance, wake: Wake) {
  app.onRecorded(workspaceTypes() as ActivityType[], async (tx, { id, type, accountId, createdAt }) => {
    // Without a lock of a webhook, so that nothing waits for one that is being changed.
    const { rows } = await tx.execute<Due>(sql`
      insert into ${webhookDeliveries} (webhook_id, account_id, activity_id, type, created_at, due_at)
      select id, account_id, ${id}::bigint, ${type}::text, ${createdAt.toISOString()}::timestamptz,
        ${app.now().toISOString()}::timestamptz
      from ${webhooks}
      where account_id = ${accountId} and disabled_at is null and types && array[${type}::text, ${everyType}::text]
      order by id
      returning account_id::float8 as "accountId", webhook_id::float8 as "webhookId"`)
    if (rows.length > 0) tx.afterCommit(() => wake(rows))
  })
}

export function sweepDeliveries({ sweeper, now }: FastifyInstance) {
  const monthAgo = () => new Date(now().getTime() - monthMs)
  sweeper.add({ table: webhookDeliveries, isExpired: () => lt(webhookDeliveries.createdAt, monthAgo()) })
}

/** While webhooks are off, nothing is sent, nor later: receivers would take old news for new. */
export async function failWaiting({ db, log }: FastifyInstance) {
  const waiting = eq(webhookDeliveries.state, 'waiting')
  await db
    .update(webhookDeliveries)
    .set({ state: 'failed', claim: null, claimedUntil: null })
    .where(waiting)
    .catch((err) => log.error({ err }, 'deliveries of webhooks still wait'))
}
