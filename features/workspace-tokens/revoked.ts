import { and, asc, inArray, isNull, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { invitations } from '../../drizzle/schema.ts'
import { workspaceTokenInvitations, workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { type Changer, recordAccountActivity } from '../accounts/channel.ts'
import { revoke } from '../accounts/invitations.ts'
import { mailOwners } from '../accounts/owner-mails.ts'

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
    .where(
      inArray(
        workspaceTokenInvitations.tokenId,
        tx.select({ id: workspaceTokens.id }).from(workspaceTokens).where(which),
      ),
    )
  return revoke(tx, and(inArray(invitations.id, sent), isNull(invitations.acceptedAt)), changer)
}
