import { and, eq, gt, inArray, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { workspaceTokenInvitations, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcastToMembers } from '../accounts/channel.ts'
import type { Ending } from '../accounts/endings.ts'
import { type Lost, onRightLost } from '../accounts/endings.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { revokeTokens, withdrawSent } from './revoked.ts'

const isOf = (userId: number) => eq(workspaceTokens.makerId, userId)

export const workspaceTokenEnding = (app: FastifyInstance): Ending => ({
  name: 'workspace-tokens',
  async concerns(tx, userId) {
    const made = await tx.selectDistinct({ id: workspaceTokens.accountId }).from(workspaceTokens).where(isOf(userId))
    return made.map(({ id }) => id)
  },
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
  onRightLost(app, 'tokens.manage', orphan)
  app.onRecorded(['suspended'], async (tx, { id, userId }) => {
    const makerId = userId ?? 0
    for (const accountId of await madeIn(tx, makerId)) {
      const about = { activityId: id, accountId, makerId }
      await mailOwners(app, tx, 'workspace_token_blocked', about, { accountId, except: makerId })
    }
  })

  async function madeIn(tx: Tx, makerId: number) {
    const living = and(isOf(makerId), gt(workspaceTokens.expiresAt, app.now()))
    const made = await tx.selectDistinct({ id: workspaceTokens.accountId }).from(workspaceTokens).where(living)
    return made.map(({ id }) => id).sort((one, other) => one - other)
  }

  async function orphan(tx: Tx, { activityId, actorId, userId: makerId, accountId }: Lost) {
    const here = and(isOf(makerId), eq(workspaceTokens.accountId, accountId))
    await withdrawSent(tx, here, { accountId, userId: actorId })
    if (!(await madeIn(tx, makerId)).includes(accountId)) return
    const about = { activityId, accountId, makerId }
    await mailOwners(app, tx, 'workspace_token_kept', about, { accountId, except: makerId })
  }
}
