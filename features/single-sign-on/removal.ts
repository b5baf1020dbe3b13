import { and, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recheckMembers, recordAccountActivity } from '../accounts/channel.ts'
import type { Distrust, Ending } from '../accounts/endings.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { deleteConnection } from './connection-changes.ts'

export const singleSignOnEnding = (app: FastifyInstance): Ending => ({
  name: 'single-sign-on',
  concerns: accountsOf,
  on: {
    userClaimed: (tx, { ownedIds }) => removeSingleSignOn(tx, ownedIds),
    userRestored: (tx, about) => removeAdded(app, tx, about),
  },
})

/**
 * Removes the providers and domains of these accounts, which must be locked. A stranger who set them up could otherwise
 * send people in after they lost the account.
 */
async function removeSingleSignOn(tx: Tx, ids: number[]) {
  await tx
    .update(accounts)
    .set({ requireSingleSignOn: false, singleSignOnRequiredAt: null })
    .where(inArray(accounts.id, ids))
  await tx.delete(ssoDomains).where(inArray(ssoDomains.accountId, ids))
  for (const id of ids) await deleteConnection(tx, id)
  return ids
}

/** Where a user added a domain or the provider. */
async function accountsOf(tx: Tx, userId: number) {
  const domains = tx.select({ id: ssoDomains.accountId }).from(ssoDomains).where(eq(ssoDomains.creatorId, userId))
  const connections = tx
    .select({ id: ssoConnections.accountId })
    .from(ssoConnections)
    .where(eq(ssoConnections.creatorId, userId))
  return (await domains.union(connections)).map(({ id }) => id)
}

/**
 * Removes what was added in the name of a user since then. What others set up stays, and so does the requirement, or a
 * thief could end it by what an owner undoes.
 */
async function removeAdded(app: FastifyInstance, tx: Tx, { userId, since, ownedIds }: Distrust) {
  const isAdded = (table: typeof ssoDomains | typeof ssoConnections, type: 'domain_added' | 'sso_saved') => {
    const recorded = and(
      eq(activities.accountId, table.accountId),
      eq(activities.actorId, userId),
      eq(activities.type, type),
      table === ssoDomains ? sql`${activities.details} ->> 'domain' = ${ssoDomains.domain}` : undefined,
    )
    const isOfOldVersion = and(isNull(table.creatorId), inArray(table.accountId, ownedIds))
    const isRecorded = and(isOfOldVersion, sql`exists (select from ${activities} where ${recorded})`)
    return and(gte(table.createdAt, since), or(eq(table.creatorId, userId), isRecorded))
  }
  const activityIds = new Map<number, number>()
  const domains = await tx.delete(ssoDomains).where(isAdded(ssoDomains, 'domain_added')).returning()
  for (const { accountId, domain } of domains)
    activityIds.set(accountId, await recordAccountActivity(tx, byNobody(accountId), 'domain_removed', { domain }))
  const connections = await tx.select().from(ssoConnections).where(isAdded(ssoConnections, 'sso_saved'))
  for (const { accountId } of connections) {
    await deleteConnection(tx, accountId)
    activityIds.set(accountId, await recordAccountActivity(tx, byNobody(accountId), 'sso_removed', {}))
  }
  for (const [accountId, activityId] of activityIds) {
    await mailOwners(app, tx, 'sso_changed', { activityId, undoneBy: userId }, { accountId, except: userId })
    await recheckMembers(tx, accountId)
  }
  return [...activityIds.keys()]
}

const byNobody = (accountId: number) => ({ accountId, userId: null })
