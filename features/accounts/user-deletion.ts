import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, invitations, memberships, type Role, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { noClient, record } from '../activity/index.ts'
import { broadcastDeletion, broadcastRecorded } from './channel.ts'
import { endFor } from './endings.ts'
import { owns, successors } from './rights.ts'

/** A user who is being deleted, and the email addresses that they proved and that are theirs alone. */
export type DeletedUser = { userId: number; emails: string[] }

export async function accountsConcerning(tx: Tx, { userId, emails }: DeletedUser) {
  const joined = tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  const invited = and(inArray(invitations.email, emails), isNull(invitations.acceptedAt))
  const rows = await joined.union(tx.select({ id: invitations.accountId }).from(invitations).where(invited))
  return rows.map(({ id }) => id)
}

const ranks = sql`array[${sql.join(
  successors.map((role) => sql`${role}`),
  sql`, `,
)}]::text[]`

type Successor = { id: number; user_id: number; name: string; role: Role }

/**
 * What becomes of the accounts of a user who leaves them all. Nobody else is in those that are `deleted`. Those that
 * they own have a successor: another owner, else the oldest admin or member. A suspended user inherits nothing, but
 * keeps an account from being deleted.
 */
async function inheritance(db: Database | Tx, userId: number) {
  const other = sql`${memberships} other join ${users} who on who.id = other.user_id
    where other.account_id = ${accounts}.id and other.user_id <> ${userId}`
  const successor = sql<Successor | null>`case when ${memberships.role} = 'owner' then (
    select json_build_object('id', other.id, 'user_id', who.id, 'name', who.name, 'role', other.role)
    from ${other} and other.role = any(${ranks}) and who.suspended_at is null
    order by array_position(${ranks}, other.role), other.id limit 1
  ) end`
  const joined = await db
    .select({
      id: accounts.id,
      name: accounts.name,
      isAlone: sql<boolean>`not exists (select from ${other})`,
      successor,
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(accounts.name), asc(accounts.id))
  return {
    deleted: joined.filter(({ isAlone }) => isAlone),
    inherited: joined.flatMap(({ id, name, successor }) =>
      successor && !owns(successor.role) ? [{ id, name, successor }] : [],
    ),
  }
}

/** Which accounts are deleted together with a user, and who inherits the others. */
export async function previewUserDeletion(db: Database, userId: number) {
  const { deleted, inherited } = await inheritance(db, userId)
  return {
    deleted: deleted.map(({ name }) => ({ name })),
    inherited: inherited.map(({ name, successor }) => ({ name, successor: successor.name })),
  }
}

/**
 * These accounts must be locked. Those where they are alone are deleted, together with all invitations of the user.
 * Returns the slugs of these.
 */
export async function removeFromAccounts(
  app: FastifyInstance,
  tx: Tx,
  { userId, emails }: DeletedUser,
  locked: number[],
) {
  const sent = and(eq(invitations.inviterId, userId), isNull(invitations.acceptedAt))
  const received = and(
    inArray(invitations.email, emails),
    or(isNotNull(invitations.acceptedAt), inArray(invitations.accountId, locked)),
  )
  await tx.delete(invitations).where(or(sent, received))
  const { deleted, inherited } = await inheritance(tx, userId)
  const orphaned = deleted.map(({ id }) => id)
  const left = await tx.delete(memberships).where(eq(memberships.userId, userId)).returning()
  for (const id of orphaned) await broadcastDeletion(tx, id, userId)
  await endFor(app, tx, 'accountsDeleted', { accountIds: orphaned })
  const gone = await tx.delete(accounts).where(inArray(accounts.id, orphaned)).returning({ slug: accounts.slug })
  for (const { accountId } of left)
    if (!orphaned.includes(accountId)) await record(tx, 'member_left', { accountId, actorId: userId, userId })
  for (const { id, successor } of inherited) await promoteSuccessor(tx, id, successor)
  for (const id of locked) await broadcastRecorded(tx, id)
  return gone.map(({ slug }) => slug)
}

/** The successor must not see the client of the user who leaves. */
async function promoteSuccessor(tx: Tx, accountId: number, { id, user_id: userId, role: from }: Successor) {
  await tx.update(memberships).set({ role: 'owner' }).where(eq(memberships.id, id))
  const about = { accountId, actorId: null, userId, from, to: 'owner' as const }
  await record(tx, 'role_changed', about, noClient)
}
