import { and, asc, eq, gt, inArray, isNull, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { invitations } from '../../drizzle/schema.ts'
import { workspaceTokenInvitations, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcastToMembers, type Changer, recordAccountActivity } from '../accounts/channel.ts'
import { accountsWith, type Ending, onMakerLost } from '../accounts/endings.ts'
import { revoke } from '../accounts/invitations.ts'
import { mailOwners } from '../accounts/owner-mails.ts'

const isOf = (userId: number) => eq(workspaceTokens.makerId, userId)

export const workspaceTokenEnding = (app: FastifyInstance): Ending => ({
  name: 'workspace-tokens',
  concerns: (tx, userId) => accountsWith(tx, workspaceTokens, isOf(userId)),
  on: {
    userSuspended: (tx, { userId }) => withdrawSent(tx, isOf(userId), null),
    userClaimed: (tx, { ownedIds }) => revokeTokens(app, tx, inArray(workspaceTokens.accountId, ownedIds), null),
    methodsRemoved: (tx, { userId, before }) =>
      revokeTokens(app, tx, and(isOf(userId), before && lt(workspaceTokens.createdAt, before)), null),
  },
})

/** Tokens are the workspace's and outlive who made them, which its owners are told. What they sent does not. */
export function followMakers(app: FastifyInstance) {
  app.onRecorded(['member_invited'], async (tx, { details: { token_id: tokenId, invitation_id: invitationId } }) => {
    if (tokenId) await tx.insert(workspaceTokenInvitations).values({ tokenId, invitationId })
  })
  onMakerLost(app, 'tokens.manage', async (tx, { activityId, actorId, makerId, accountId: lostId }) => {
    const theirs = and(isOf(makerId), lostId ? eq(workspaceTokens.accountId, lostId) : undefined)
    if (lostId) await withdrawSent(tx, theirs, { accountId: lostId, userId: actorId })
    const mail = lostId ? 'workspace_token_kept' : 'workspace_token_blocked'
    const living = and(theirs, gt(workspaceTokens.expiresAt, app.now()))
    for (const accountId of await accountsWith(tx, workspaceTokens, living))
      await mailOwners(app, tx, mail, { activityId, accountId, makerId }, { accountId, except: makerId })
  })
}

/** Revokes tokens and what was sent with them. Returns their accounts. Without a changer, nobody is named. */
export async function revokeTokens(app: FastifyInstance, tx: Tx, which: SQL | undefined, changer: Changer | null) {
  // Locked before their invitations are looked for: a write that has its token may still send one.
  const tokens = await tx.select().from(workspaceTokens).where(which).orderBy(asc(workspaceTokens.id)).for('update')
  const ids = tokens.map(({ id }) => id)
  await withdrawSent(tx, inArray(workspaceTokens.id, ids), changer)
  await tx.delete(workspaceTokens).where(inArray(workspaceTokens.id, ids))
  for (const { id, accountId, name } of tokens) {
    const about = { token_id: id, token_name: name }
    const by = changer ?? { accountId, userId: null }
    const activityId = await recordAccountActivity(tx, by, 'workspace_token_revoked', about)
    await mailOwners(app, tx, 'workspace_token_revoked', { activityId }, { accountId })
    await broadcastToMembers(tx, accountId, 'members')
  }
  return tokens.map(({ accountId }) => accountId)
}

/** Withdraws what is pending of what these tokens sent, and returns the accounts. */
async function withdrawSent(tx: Tx, which: SQL | undefined, changer: Changer | null) {
  const sent = tx
    .select({ id: workspaceTokenInvitations.invitationId })
    .from(workspaceTokenInvitations)
    .innerJoin(workspaceTokens, eq(workspaceTokens.id, workspaceTokenInvitations.tokenId))
    .where(which)
  return revoke(tx, and(inArray(invitations.id, sent), isNull(invitations.acceptedAt)), changer)
}
