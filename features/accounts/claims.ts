import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { invitations, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { noClient, recording } from '../activity/index.ts'
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
  const { rows: gone } = await tx.execute<{ account_id: string; user_id: string }>(sql`
    with gone as (delete from ${memberships} where ${others} returning account_id, user_id),
    recorded as (${recording('member_removed', about, sql`gone`, noClient)})
    select account_id, user_id from gone`)
  const open = and(inArray(invitations.accountId, ids), isNull(invitations.acceptedAt), ne(invitations.id, except))
  await revoke(tx, open, null, noClient)
  for (const { account_id, user_id } of gone)
    await emit(tx, 'member_left', Number(account_id), { userId: Number(user_id) })
  for (const id of ids)
    await Promise.all([
      emit(tx, 'account_access_changed', id),
      emit(tx, 'members_changed', id),
      emit(tx, 'activity_recorded', id),
    ])
}
