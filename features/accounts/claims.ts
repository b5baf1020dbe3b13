import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { invitations, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { noClient, recordEach } from '../activity/index.ts'
import { selectAccounts } from './accounts.ts'
import { broadcastRecorded, recheckMembers } from './channel.ts'
import { endFor } from './endings.ts'
import { revoke } from './invitations.ts'
import { owns } from './rights.ts'

export async function joinedAccounts(tx: Tx, userId: number) {
  const joined = await selectAccounts(tx, userId)
  return joined.map(({ account, role }) => ({ id: account.id, isOwned: owns(role) }))
}

type Separation = { accounts: Awaited<ReturnType<typeof joinedAccounts>>; acceptedInvitationId: number }

/**
 * For someone who proved an address and takes the place of a user who did not, who may have other users. Others leave
 * the accounts that the user owns, the user leaves all others, and the ways back end: what options know, and open
 * invitations, but for the one that is being accepted. These accounts, all that the user is a member of, must
 * be locked.
 */
export async function detachFromSharedAccounts(
  app: FastifyInstance,
  tx: Tx,
  userId: number,
  { accounts, acceptedInvitationId }: Separation,
) {
  const owned = accounts.filter(({ isOwned }) => isOwned).map(({ id }) => id)
  await endFor(app, tx, 'userClaimed', { userId, ownedIds: owned })
  const open = and(
    isNull(invitations.acceptedAt),
    ne(invitations.id, acceptedInvitationId),
    or(inArray(invitations.accountId, owned), eq(invitations.inviterId, userId)),
  )
  await revoke(tx, open, null) // others must not see the client of the person who claims the address
  const ended = or(
    and(inArray(memberships.accountId, owned), ne(memberships.userId, userId)),
    and(notInArray(memberships.accountId, owned), eq(memberships.userId, userId)),
  )
  const others = await tx
    .select()
    .from(memberships)
    .where(and(inArray(memberships.accountId, owned), ne(memberships.userId, userId)))
  for (const { accountId, userId } of others) await endFor(app, tx, 'memberRemoved', { accountId, userId, actor: null })
  const about = { accountId: sql`gone.account_id`, actorId: null, userId: sql`gone.user_id` }
  const deletion = sql`gone as (delete from ${memberships} where ${ended} returning account_id, user_id)`
  await recordEach(tx, 'member_removed', about, { with: deletion, from: sql`gone`, client: noClient })
  for (const { id } of accounts) {
    await recheckMembers(tx, id)
    await broadcastRecorded(tx, id)
  }
}
