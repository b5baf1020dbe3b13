import { type AnyColumn, and, asc, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import type { Ending } from '../accounts/endings.ts'
import { onRightLost } from '../accounts/endings.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { disableWhere, isOf } from './disable.ts'
import { hostOf } from './form.ts'

/** Webhooks are the workspace's and go on without who added them, which its owners are told. */
export function tellOwners(app: FastifyInstance) {
  onRightLost(app, 'webhooks.manage', (tx, lost) => tell(tx, lost, eq(webhooks.accountId, lost.accountId)))
  app.onRecorded(['suspended'], (tx, { id, userId }) => tell(tx, { activityId: id, userId: userId ?? 0 }))

  async function tell(tx: Tx, { activityId, userId: makerId }: { activityId: number; userId: number }, where?: SQL) {
    const concerned = await tx
      .selectDistinct({ accountId: webhooks.accountId })
      .from(webhooks)
      .where(and(isOf(makerId), isNull(webhooks.disabledAt), where))
      .orderBy(asc(webhooks.accountId))
    for (const { accountId } of concerned)
      await mailOwners(app, tx, 'webhook_kept', { activityId, accountId, makerId }, { accountId, except: makerId })
  }
}

export const webhookEnding = (app: FastifyInstance): Ending => ({
  name: 'webhooks',
  async concerns(tx, userId) {
    const found = await tx.selectDistinct({ id: webhooks.accountId }).from(webhooks).where(isOf(userId))
    return found.map(({ id }) => id)
  },
  on: {
    userClaimed: (tx, { ownedIds }) => removeWebhooksOf(tx, ownedIds),
    methodsRemoved: async (tx, { userId, before }) => {
      const older = (at: AnyColumn) => before && lt(at, before)
      const added = and(eq(webhooks.createdById, userId), older(webhooks.createdAt))
      await disableWhere(app, tx, or(added, and(eq(webhooks.urlById, userId), older(webhooks.urlAt))))
      return []
    },
    accountsDeleted: async (tx, { accountIds }) => {
      await forgetDeliveries(tx, accountIds)
      return []
    },
  },
})

/** Of accounts whose owner proved an address that a stranger had signed up with. They must be locked. */
async function removeWebhooksOf(tx: Tx, accountIds: number[]) {
  const removed = await tx.delete(webhooks).where(inArray(webhooks.accountId, accountIds)).returning()
  await forgetDeliveries(tx, accountIds)
  for (const { id, url, accountId } of removed)
    await recordAccountActivity(tx, { accountId, userId: null }, 'webhook_removed', {
      webhook_id: id,
      host: hostOf(url),
    })
  return removed.map(({ accountId }) => accountId)
}

const forgetDeliveries = (tx: Tx, accountIds: number[]) =>
  tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.accountId, accountIds))
