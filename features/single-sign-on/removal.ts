import { and, asc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, memberships } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recheckMembers, recordAccountActivity } from '../accounts/channel.ts'
import type { Distrust, Ending } from '../accounts/endings.ts'
import { mailOwners } from '../accounts/mails.ts'

export const singleSignOnEnding = (app: FastifyInstance): Ending => ({
  name: 'single-sign-on',
  on: {
    userClaimed: (tx, { ownedIds }) => removeSingleSignOn(tx, ownedIds),
    userRestored: (tx, about) => undoSingleSignOn(app, tx, about),
  },
})

/**
 * Removes the providers and domains of these accounts, which must be locked. A stranger who set them up could otherwise
 * send people in after they lost the account.
 */
async function removeSingleSignOn(tx: Tx, accountIds: number[]) {
  await tx
    .update(accounts)
    .set({ requireSingleSignOn: false, singleSignOnRequiredAt: null })
    .where(inArray(accounts.id, accountIds))
  await tx.delete(ssoDomains).where(inArray(ssoDomains.accountId, accountIds))
  for (const id of accountIds) await deleteConnection(tx, id)
  return accountIds
}

/** Its passes go with it, and nobody is known any more. The account must be locked. Returns whether there was one. */
export async function deleteConnection(tx: Tx, accountId: number, which?: SQL) {
  const isIt = and(eq(ssoConnections.accountId, accountId), which)
  const isGone = (await tx.delete(ssoConnections).where(isIt)).rowCount === 1
  if (which && !isGone) return false
  await tx.update(ssoIdentities).set({ subject: null, email: null }).where(eq(ssoIdentities.accountId, accountId))
  await recheckMembers(tx, accountId)
  return isGone
}

/**
 * Removes the domains and the providers that were added since in the name of this user, also where they are no owner any
 * more. What others set up stays, and so does the requirement.
 */
async function undoSingleSignOn(app: FastifyInstance, tx: Tx, { userId, since }: Distrust) {
  const joined = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.accountId))
  const changed: number[] = []
  for (const { accountId } of joined) {
    const nobody = { accountId, userId: null }
    const activityIds: number[] = []
    if (await deleteConnection(tx, accountId, and(gte(ssoConnections.createdAt, since), isMadeBy(userId))))
      activityIds.push(await recordAccountActivity(tx, nobody, 'sso_removed', {}))
    const added = and(eq(ssoDomains.accountId, accountId), gte(ssoDomains.createdAt, since), isAddedBy(userId))
    for (const { domain } of await tx.delete(ssoDomains).where(added).returning())
      activityIds.push(await recordAccountActivity(tx, nobody, 'domain_removed', { domain }))
    const activityId = activityIds.at(-1) // one mail tells of all
    if (!activityId) continue
    await mailOwners(app, tx, 'sso_changed', { activityId, undoneBy: userId }, { accountId, except: userId })
    changed.push(accountId)
  }
  return changed
}

/** Who saved it first made it: others may have changed its secret since. */
const isMadeBy = (userId: number) => sql`${userId}::bigint = (
  select saved.actor_id from ${activities} saved
  where saved.account_id = ${ssoConnections.accountId} and saved.type = 'sso_saved'
    and saved.details->>'connection_id' = ${ssoConnections.id}::text
  order by saved.id limit 1)`

/** One that was removed may have been added again. */
const isAddedBy = (userId: number) => sql`${userId}::bigint = (
  select added.actor_id from ${activities} added
  where added.account_id = ${ssoDomains.accountId} and added.type = 'domain_added'
    and added.details->>'domain' = ${ssoDomains.domain}
  order by added.id desc limit 1)`
