import { type AnyColumn, and, asc, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts } from '../../drizzle/schema.ts'
import { type Webhook, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { accountsWith, type Ending, onMakerLost } from '../accounts/endings.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { aboutWebhook } from './form.ts'
import { isFree } from './queue.ts'

/** Those that this user added, or gave their URL. */
const isOf = (userId: number) => or(eq(webhooks.createdById, userId), eq(webhooks.urlById, userId))

/** Webhooks are the workspace's and go on without who added them, which its owners are told. */
export function tellOwners(app: FastifyInstance) {
  onMakerLost(app, 'webhooks.manage', async (tx, { activityId, makerId, accountId }) => {
    const here = accountId ? eq(webhooks.accountId, accountId) : undefined
    for (const accountId of await accountsWith(tx, webhooks, and(isOf(makerId), here, isNull(webhooks.disabledAt))))
      await mailOwners(app, tx, 'webhook_kept', { activityId, accountId, makerId }, { accountId, except: makerId })
  })
}

export const webhookEnding = (app: FastifyInstance): Ending => ({
  name: 'webhooks',
  concerns: (tx, userId) => accountsWith(tx, webhooks, isOf(userId)),
  on: {
    userClaimed: (tx, { ownedIds }) => removeWebhooksOf(tx, ownedIds),
    methodsRemoved: async (tx, { userId, before }) => {
      const older = (at: AnyColumn) => before && lt(at, before)
      const added = and(eq(webhooks.createdById, userId), older(webhooks.createdAt))
      await disableWhere(app, tx, or(added, and(eq(webhooks.urlById, userId), older(webhooks.urlAt))))
    },
    accountsDeleted: (tx, { accountIds }) => forgetDeliveries(tx, accountIds),
  },
})

/** Of accounts whose owner proved an address that a stranger had signed up with. They must be locked. */
async function removeWebhooksOf(tx: Tx, accountIds: number[]) {
  const removed = await tx.delete(webhooks).where(inArray(webhooks.accountId, accountIds)).returning()
  await forgetDeliveries(tx, accountIds)
  for (const each of removed)
    await recordAccountActivity(tx, { accountId: each.accountId, userId: null }, 'webhook_removed', aboutWebhook(each))
  return removed.map(({ accountId }) => accountId)
}

async function forgetDeliveries(tx: Tx, accountIds: number[]) {
  await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.accountId, accountIds))
}

/** After a try, unless the webhook has another URL by now. */
export async function disable(app: FastifyInstance, tx: Tx, { id, accountId, url }: Webhook) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')
  await disableWhere(app, tx, and(eq(webhooks.id, id), eq(webhooks.url, url)))
}

/** What waits for them has failed, but a try that is under way has its own outcome. */
async function disableWhere(app: FastifyInstance, tx: Tx, which: SQL | undefined) {
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
  for (const { accountId, ...webhook } of disabled) {
    const waiting = and(eq(webhookDeliveries.webhookId, webhook.id), eq(webhookDeliveries.state, 'waiting'))
    await tx.update(webhookDeliveries).set({ state: 'failed' }).where(and(waiting, isFree))
    const by = { accountId, userId: null }
    const activityId = await recordAccountActivity(tx, by, 'webhook_disabled', aboutWebhook(webhook))
    await mailOwners(app, tx, 'webhook_disabled', { activityId }, { accountId })
  }
}
