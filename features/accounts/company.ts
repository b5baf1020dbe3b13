import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { accounts, invitations, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { noClient, recording } from '../activity/index.ts'

/** The accounts that the user owns. */
export async function ownedBy(tx: Tx, userId: number) {
  const own = and(eq(memberships.userId, userId), eq(memberships.role, 'owner'))
  const rows = await tx.select({ id: memberships.accountId }).from(memberships).where(own)
  return rows.map(({ id }) => id)
}

/** Locks these accounts, in a fixed order. */
export const lockAccounts = (tx: Tx, ids: number[]) =>
  tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, ids))
    .orderBy(asc(accounts.id))
    .for('no key update')

/**
 * Ends all memberships but the owner's, and all pending invitations but one, in these accounts, which must be locked:
 * they were made by somebody who was not the owner of the address.
 */
export async function endCompany(tx: Tx, ids: number[], { ownerId, except }: { ownerId: number; except: number }) {
  const others = and(inArray(memberships.accountId, ids), ne(memberships.userId, ownerId))
  const open = and(inArray(invitations.accountId, ids), isNull(invitations.acceptedAt), ne(invitations.id, except))
  const removed = { accountId: sql`gone.account_id`, actorId: null, userId: sql`gone.user_id` }
  const revoked = {
    accountId: sql`gone.account_id`,
    actorId: null,
    invitation_id: sql`gone.id`,
    role: sql`gone.role`,
  }
  const gone = await tx.execute<{ account_id: string; user_id: string }>(sql`
    with gone as (delete from ${memberships} where ${others} returning account_id, user_id),
    recorded as (${recording('member_removed', removed, sql`gone`, noClient)})
    select account_id, user_id from gone`)
  await tx.execute(sql`
    with gone as (delete from ${invitations} where ${open} returning account_id, id, role)
    ${recording('invitation_revoked', revoked, sql`gone`, noClient)}`)
  for (const { account_id, user_id } of gone)
    await emit(tx, 'member_left', Number(account_id), { userId: Number(user_id) })
  for (const id of ids)
    await Promise.all([
      emit(tx, 'account_access_changed', id),
      emit(tx, 'members_changed', id),
      emit(tx, 'activity_recorded', id),
    ])
}
