import { and, asc, desc, eq, inArray, isNotNull, isNull, notExists, notInArray, or, sql } from 'drizzle-orm'
import { accounts, invitations, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { comingFromNowhere, recording } from '../activity/index.ts'
import { announceMembers } from './channel.ts'
import { announceActivity } from './history.ts'

/** A user who is being deleted, and the addresses that were theirs alone. */
export type Leaver = { userId: number; addresses: string[] }

/** Locks all accounts that the departure affects, in a fixed order, so concurrent departures do not deadlock. */
export async function holdAccountsOf(tx: Tx, leaver: Leaver) {
  const ids = await accountsOf(tx, leaver)
  const held = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, ids))
    .orderBy(asc(accounts.id))
    .for('update')
  return held.map(({ id }) => id)
}

/** Accounts where they are a member or invited. */
export async function accountsOf(tx: Tx, { userId, addresses }: Leaver) {
  const own = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  const invited = and(inArray(invitations.email, addresses), isNull(invitations.acceptedAt))
  const rows = await own.union(tx.select({ id: invitations.accountId }).from(invitations).where(invited))
  return rows.map(({ id }) => id)
}

/**
 * Removes the user from these accounts, which must be locked, together with the invitations they sent and received.
 * Empty accounts are deleted. If no owner is left, the longest-serving admin becomes owner, or else the longest-serving
 * member.
 */
export async function departFrom(tx: Tx, { userId, addresses }: Leaver, held: number[]) {
  const sent = and(eq(invitations.inviterId, userId), isNull(invitations.acceptedAt))
  const received = and(
    inArray(invitations.email, addresses),
    or(isNotNull(invitations.acceptedAt), inArray(invitations.accountId, held)),
  )
  await tx.delete(invitations).where(or(sent, received))
  await leaveAccounts(tx, userId, held)
}

async function leaveAccounts(tx: Tx, userId: number, ids: number[]) {
  const others = sql`
    select from ${memberships} other where other.account_id = mine.account_id and other.user_id <> ${userId}`
  const left = { accountId: sql`mine.account_id`, actorId: userId, userId }
  await tx.execute(sql`
    with mine as (delete from ${memberships} where user_id = ${userId} returning account_id)
    ${recording('member_left', left, sql`mine where exists (${others})`)}`)
  const someone = tx.select().from(memberships).where(eq(memberships.accountId, accounts.id))
  await tx.delete(accounts).where(and(inArray(accounts.id, ids), notExists(someone)))

  const owners = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.role, 'owner'))
  const successors = tx
    .selectDistinctOn([memberships.accountId])
    .from(memberships)
    .where(and(inArray(memberships.accountId, ids), notInArray(memberships.accountId, owners)))
    .orderBy(memberships.accountId, desc(eq(memberships.role, 'admin')), memberships.id)
  const heir = { accountId: sql`heir.account_id`, actorId: null, userId: sql`heir.user_id` }
  // The client is that of the user who leaves, and not for the heir to see.
  const succession = comingFromNowhere(() =>
    recording('role_changed', { ...heir, from: sql`heir.role`, to: 'owner' }, sql`heir`),
  )
  await tx.execute(sql`
    with heir as (${successors}), recorded as (${succession})
    update ${memberships} set role = 'owner', updated_at = now() from heir where ${memberships.id} = heir.id`)
  for (const id of ids) await Promise.all([announceMembers(tx, id), announceActivity(tx, id)])
}
