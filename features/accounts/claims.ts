import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { invitations, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { noClient, recording } from '../activity/index.ts'
import { broadcastToMembers, recheckMembers } from './channel.ts'
import { revoke } from './invitations.ts'

/** The accounts that the user owns. */
export async function ownedBy(tx: Tx, userId: number) {
  const own = and(eq(memberships.userId, userId), eq(memberships.role, 'owner'))
  const rows = await tx.select({ id: memberships.accountId }).from(memberships).where(own)
  return rows.map(({ id }) => id)
}

/**
 * Ends all memberships but the owner's, and all pending invitations but one, in these accounts, which must be locked:
 * they were made by someone who was not the owner of the address. The client is that of the present owner, and not for
 * the others to see.
 */
export async function removeOthers(tx: Tx, ids: number[], { ownerId, except }: { ownerId: number; except: number }) {
  const others = and(inArray(memberships.accountId, ids), ne(memberships.userId, ownerId))
  const about = { accountId: sql`gone.account_id`, actorId: null, userId: sql`gone.user_id` }
  await tx.execute(sql`
    with gone as (delete from ${memberships} where ${others} returning account_id, user_id)
    ${recording('member_removed', about, sql`gone`, noClient)}`)
  const open = and(inArray(invitations.accountId, ids), isNull(invitations.acceptedAt), ne(invitations.id, except))
  await revoke(tx, open, null, noClient)
  for (const id of ids) {
    await recheckMembers(tx, id)
    await broadcastToMembers(tx, id, 'members')
    await broadcastToMembers(tx, id, 'activity')
  }
}
