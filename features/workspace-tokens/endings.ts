import { and, asc, eq, gt, inArray, isNull, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { invitations } from '../../drizzle/schema.ts'
import { workspaceTokenInvitations, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcastToMembers, type Changer, recordAccountActivity } from '../accounts/channel.ts'
import { type Ending, onRightLost } from '../accounts/endings.ts'
import { revoke } from '../accounts/invitations.ts'
import { mailOwners } from '../accounts/owner-mails.ts'

const isOf = (userId: number) => eq(workspaceTokens.makerId, userId)

export const workspaceTokenEnding = (app: FastifyInstance): Ending => ({
  name: 'workspace-tokens',
  concerns: (tx, userId) => accountsWith(tx, isOf(userId)),
  on: {
    userSuspended: (tx, { userId }) => withdrawSent(tx, isOf(userId), null),
    userClaimed: (tx, { ownedIds }) => revokeTokens(app, tx, inArray(workspaceTokens.accountId, ownedIds), null),
    methodsRemoved: async (tx, { userId, before }) => {
      const made = and(isOf(userId), before && lt(workspaceTokens.createdAt, before))
      for (const id of new Set(await revokeTokens(app, tx, made, null))) await broadcastToMembers(tx, id, 'members')
    },
  },
})

/** Tokens are the workspace's and outlive who made them, which its owners are told. What they sent does not. */
export function followMakers(app: FastifyInstance) {
  app.onRecorded(['member_invited'], async (tx, { details }) => {
    const { token_id: tokenId, invitation_id: invitationId } = details
    if (tokenId) await tx.insert(workspaceTokenInvitations).values({ tokenId, invitationId })
  })
  onRightLost(app, 'tokens.manage', async (tx, { activityId, actorId, userId: makerId, accountId }) => {
    const here = and(isOf(makerId), eq(workspaceTokens.accountId, accountId))
    await withdrawSent(tx, here, { accountId, userId: actorId })
    await mailOwnersOfLiving(tx, 'workspace_token_kept', { activityId, makerId }, here)
  })
  app.onRecorded(['suspended'], async (tx, { id: activityId, userId }) => {
    const makerId = userId ?? 0
    await mailOwnersOfLiving(tx, 'workspace_token_blocked', { activityId, makerId }, isOf(makerId))
  })

  async function mailOwnersOfLiving(
    tx: Tx,
    mail: MakerMail,
    { activityId, makerId }: { activityId: number; makerId: number },
    which: SQL | undefined,
  ) {
    const living = and(which, gt(workspaceTokens.expiresAt, app.now()))
    for (const accountId of await accountsWith(tx, living))
      await mailOwners(app, tx, mail, { activityId, accountId }, { accountId, except: makerId })
  }
}

type MakerMail = 'workspace_token_kept' | 'workspace_token_blocked'

async function accountsWith(tx: Tx, which: SQL | undefined) {
  const { accountId } = workspaceTokens
  const found = await tx.selectDistinct({ id: accountId }).from(workspaceTokens).where(which).orderBy(asc(accountId))
  return found.map(({ id }) => id)
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
  }
  return tokens.map(({ accountId }) => accountId)
}

/** Withdraws what is pending of what these tokens sent, and returns the accounts. */
export async function withdrawSent(tx: Tx, which: SQL | undefined, changer: Changer | null) {
  const sent = tx
    .select({ id: workspaceTokenInvitations.invitationId })
    .from(workspaceTokenInvitations)
    .innerJoin(workspaceTokens, eq(workspaceTokens.id, workspaceTokenInvitations.tokenId))
    .where(which)
  return revoke(tx, and(inArray(invitations.id, sent), isNull(invitations.acceptedAt)), changer)
}
