import { and, asc, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts } from '../../drizzle/schema.ts'
import { type Webhook, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { hostOf } from './form.ts'

/** After a try, unless the webhook has another URL by now. */
export async function disable(app: FastifyInstance, tx: Tx, { id, accountId, url }: Webhook) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')
  await disableWhere(app, tx, and(eq(webhooks.id, id), eq(webhooks.url, url)))
}

/** What waits for them has failed, but a try that is under way has its own outcome. */
export async function disableWhere(app: FastifyInstance, tx: Tx, which: SQL | undefined) {
  const enabled = tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(which, isNull(webhooks.disabledAt)))
    .orderBy(asc(webhooks.id))
    .for('no key update')
  const disabled = await tx
    .update(webhooks)
    .set({ disabledAt: app.now() })
    .where(inArray(webhooks.id, enabled))
    .returning()
  for (const { id, accountId, url } of disabled) {
    const isIdle = or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, sql`now()`))
    await tx
      .update(webhookDeliveries)
      .set({ state: 'failed' })
      .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.state, 'waiting'), isIdle))
    const about = { webhook_id: id, host: hostOf(url) }
    const activityId = await recordAccountActivity(tx, { accountId, userId: null }, 'webhook_disabled', about)
    await mailOwners(app, tx, 'webhook_disabled', { activityId }, { accountId })
  }
}

/** Those that this user added, or gave their URL. */
export const isOf = (userId: number) => or(eq(webhooks.createdById, userId), eq(webhooks.urlById, userId))
