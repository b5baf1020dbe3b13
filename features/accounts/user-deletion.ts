import { and, asc, desc, eq, inArray, isNotNull, isNull, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts, invitations, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { noClient, recording } from '../activity/index.ts'

/** A user who is being deleted, and the email addresses that were theirs alone. */
export type DeletedUser = { userId: number; emails: string[] }

/** Locks all accounts that the deletion affects, in a fixed order, so concurrent deletions do not deadlock. */
export async function lockAccountsOf(tx: Tx, user: DeletedUser) {
  const ids = await accountsOf(tx, user)
  const locked = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, ids))
    .orderBy(asc(accounts.id))
    .for('update')
  return locked.map(({ id }) => id)
}

/** Accounts where they are a member or invited. */
export async function accountsOf(tx: Tx, { userId, emails }: DeletedUser) {
  const own = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  const invited = and(inArray(invitations.email, emails), isNull(invitations.acceptedAt))
  const rows = await own.union(tx.select({ id: invitations.accountId }).from(invitations).where(invited))
  return rows.map(({ id }) => id)
}

/** What becomes of a user's accounts if they are deleted: those that go with them, and who takes over the others. */
export async function departureOf(db: Database, userId: number) {
  const rows = await db.execute<{ name: string; successor: string | null }>(sql`
    select account.name, successor.name as successor
    from ${memberships} mine
    join ${accounts} account on account.id = mine.account_id
    left join lateral (
      select who.name from ${memberships} other join ${users} who on who.id = other.user_id
      where other.account_id = mine.account_id and other.user_id <> mine.user_id
      order by other.role = 'admin' desc, other.id limit 1
    ) successor on true
    where mine.user_id = ${userId} and mine.role = 'owner' and not exists (
      select from ${memberships} owner
      where owner.account_id = mine.account_id and owner.user_id <> mine.user_id and owner.role = 'owner'
    )
    order by account.name, account.id`)
  return {
    deleted: rows.filter(({ successor }) => successor === null).map(({ name }) => ({ name })),
    inherited: rows.flatMap(({ name, successor }) => (successor === null ? [] : [{ name, successor }])),
  }
}

/**
 * Removes the user from these accounts, which must be locked, together with the invitations they sent and received.
 * Empty accounts are deleted. If no owner is left, the longest-serving admin becomes owner, or else the longest-serving
 * member.
 */
export async function removeFromAccounts(tx: Tx, { userId, emails }: DeletedUser, locked: number[]) {
  const sent = and(eq(invitations.inviterId, userId), isNull(invitations.acceptedAt))
  const received = and(
    inArray(invitations.email, emails),
    or(isNotNull(invitations.acceptedAt), inArray(invitations.accountId, locked)),
  )
  await tx.delete(invitations).where(or(sent, received))
  await leaveAccounts(tx, userId, locked)
}

async function leaveAccounts(tx: Tx, userId: number, ids: number[]) {
  const others = sql`
    select from ${memberships} other where other.account_id = mine.account_id and other.user_id <> ${userId}`
  const left = { accountId: sql`mine.account_id`, actorId: userId, userId }
  const mine = await tx.execute<{ account_id: string }>(sql`
    with mine as (delete from ${memberships} where user_id = ${userId} returning account_id),
    recorded as (${recording('member_left', left, sql`mine where exists (${others})`)})
    select account_id from mine`)
  for (const { account_id } of mine) await emit(tx, 'member_left', Number(account_id), { actorId: userId, userId })
  const someone = tx.select().from(memberships).where(eq(memberships.accountId, accounts.id))
  const empty = and(inArray(accounts.id, ids), notExists(someone))
  for (const { id } of await tx.select({ id: accounts.id }).from(accounts).where(empty))
    await emit(tx, 'account_deleted', id, { actorId: userId })
  await tx.delete(accounts).where(empty)

  const owner = alias(memberships, 'owner')
  const owners = tx
    .select()
    .from(owner)
    .where(and(eq(owner.accountId, memberships.accountId), eq(owner.role, 'owner')))
  const successors = tx
    .selectDistinctOn([memberships.accountId])
    .from(memberships)
    .where(and(inArray(memberships.accountId, ids), notExists(owners)))
    .orderBy(memberships.accountId, desc(eq(memberships.role, 'admin')), memberships.id)
  const successor = { accountId: sql`successor.account_id`, actorId: null, userId: sql`successor.user_id` }
  const promoted = { ...successor, from: sql`successor.role`, to: 'owner' as const }
  const succession = recording('role_changed', promoted, sql`successor`, noClient)
  await tx.execute(sql`
    with successor as (${successors}), recorded as (${succession})
    update ${memberships} set role = 'owner', updated_at = now() from successor where ${memberships.id} = successor.id`)
  for (const id of ids) await Promise.all([emit(tx, 'members_changed', id), emit(tx, 'activity_recorded', id)])
}
