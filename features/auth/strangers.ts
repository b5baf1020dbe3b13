import { and, eq, gte, inArray, isNull, lt, ne, notExists, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { emailChanges, invitations, memberships, type User } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcastRecorded, recheckMembers } from '../accounts/channel.ts'
import { endMemberships, joinedAccounts } from '../accounts/claims.ts'
import { endFor } from '../accounts/endings.ts'
import { revoke } from '../accounts/invitations.ts'
import { ChangedMeanwhile } from './user-deletion.ts'

const monthMs = 30 * 86_400_000 // for which previous addresses are kept

/**
 * For a user who proves their address for the first time, in a browser that doesn't know them: a stranger may have
 * signed up with it and let people in. What the user sent and made for that ends, and who joined before the address was
 * verified leaves. The user must be locked, and before them all accounts that they are in. Throws ChangedMeanwhile.
 */
export async function partFromStrangers(app: FastifyInstance, tx: Tx, user: User, locked: number[]) {
  const { id: userId } = user
  const joined = await joinedAccounts(tx, userId)
  if (!joined.every(({ id }) => locked.includes(id))) throw new ChangedMeanwhile()
  const owned = joined.filter(({ isOwned }) => isOwned).map(({ id }) => id)
  const squatted = await squattedOf(app, tx, user, owned)
  const sent = or(inArray(invitations.accountId, squatted), eq(invitations.inviterId, userId))
  await revoke(tx, and(sent, isNull(invitations.acceptedAt)), null)
  for (const { id: accountId } of joined) await endFor(app, tx, 'managerLost', { accountId, userId, actor: null })
  const others = and(inArray(memberships.accountId, squatted), ne(memberships.userId, userId))
  await endMemberships(app, tx, and(others, lt(memberships.createdAt, verificationOf(user))))
  for (const { id } of joined) {
    await recheckMembers(tx, id)
    await broadcastRecorded(tx, id)
  }
}

const verificationOf = ({ verifiedAt, createdAt }: User) => verifiedAt ?? createdAt

/**
 * The accounts that the user made before the address was verified, and that no owner joined since. None of a user who
 * had verified another address, or is older than our memory of that: those may be their own people.
 */
async function squattedOf(app: FastifyInstance, tx: Tx, user: User, owned: number[]) {
  const isNew = user.createdAt > new Date(app.now().getTime() - monthMs)
  const hadAnother = (await tx.$count(emailChanges, eq(emailChanges.userId, user.id))) > 0
  if (!isNew || hadAnother) return []
  const verifiedAt = verificationOf(user)
  const other = alias(memberships, 'other')
  const laterOwner = and(
    eq(other.accountId, memberships.accountId),
    eq(other.role, 'owner'),
    gte(other.createdAt, verifiedAt),
  )
  const own = and(eq(memberships.userId, user.id), inArray(memberships.accountId, owned))
  const rows = await tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(own, lt(memberships.createdAt, verifiedAt), notExists(tx.select().from(other).where(laterOwner))))
  return rows.map(({ id }) => id)
}
