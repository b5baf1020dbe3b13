import { and, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recheckMembers } from '../accounts/channel.ts'
import type { Ending } from '../accounts/endings.ts'
import { rememberRemoval } from './removed-members.ts'

export const singleSignOnEnding = (app: FastifyInstance): Ending => ({
  name: 'single-sign-on',
  on: {
    memberRemoved: (tx, member) => rememberRemoval(app, tx, member),
    userClaimed: (tx, { ownedIds }) => removeSingleSignOn(tx, ownedIds),
    userRestored: (tx, { userId, since, ownedIds }) => removeSingleSignOnSince(tx, ownedIds, userId, since),
  },
})

/**
 * Removes the providers and domains of these accounts, which must be locked. A stranger who set them up could otherwise
 * send people in after they lost the account.
 */
async function removeSingleSignOn(tx: Tx, accountIds: number[], which?: SQL) {
  const changed = await tx
    .update(accounts)
    .set({ requireSingleSignOn: false, singleSignOnRequiredAt: null })
    .where(and(inArray(accounts.id, accountIds), which))
    .returning({ id: accounts.id })
  const ids = changed.map(({ id }) => id)
  await tx.delete(ssoConnections).where(inArray(ssoConnections.accountId, ids))
  await tx.delete(ssoDomains).where(inArray(ssoDomains.accountId, ids))
  await tx.update(ssoIdentities).set({ subject: null, email: null }).where(inArray(ssoIdentities.accountId, ids))
  for (const id of ids) await recheckMembers(tx, id)
  return ids
}

/** The same where this user took part in what was set up since then. */
function removeSingleSignOnSince(tx: Tx, accountIds: number[], userId: number, since: Date) {
  const tookPart = and(
    eq(activities.accountId, accounts.id),
    eq(activities.actorId, userId),
    inArray(activities.type, ['sso_saved', 'domain_added', 'domain_verified']),
  )
  const connected = and(eq(ssoConnections.accountId, accounts.id), gte(ssoConnections.createdAt, since))
  const proved = and(eq(ssoDomains.accountId, accounts.id), gte(ssoDomains.verifiedAt, since))
  return removeSingleSignOn(
    tx,
    accountIds,
    sql`exists (select from ${activities} where ${tookPart}) and (
      exists (select from ${ssoConnections} where ${connected}) or exists (select from ${ssoDomains} where ${proved}))`,
  )
}
