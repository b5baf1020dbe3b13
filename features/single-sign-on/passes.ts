import { and, eq, isNotNull } from 'drizzle-orm'
import { accounts, type User } from '../../drizzle/schema.ts'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import type { SignInContext } from '../auth/pending-sign-in.ts'
import { requireAddressAt } from './addresses.ts'
import type { Connected } from './connections.ts'

type Pass = NonNullable<SignInContext['sso']>

/**
 * Whether an identity may pass a connection, for a sign-in: false if either is gone by now. Throws Rejected if the user
 * has no verified address at a domain of the workspace any more.
 */
export async function mayPass(tx: Tx, user: User, { identityId, connectionId }: Pass) {
  // Whoever locks a connection is removing it: waiting for them with the user locked could deadlock.
  const [row] = await tx
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .innerJoin(ssoIdentities, eq(ssoIdentities.accountId, accounts.id))
    .where(
      and(
        eq(ssoConnections.id, connectionId),
        eq(ssoIdentities.id, identityId),
        eq(ssoIdentities.userId, user.id),
        isNotNull(ssoIdentities.subject),
      ),
    )
    .for('key share', { of: ssoConnections, skipLocked: true })
  if (!row) return false
  await requireAddressAt(tx, row.account, user)
  return true
}

/** Records that a session passed the connection, and that its user did. The connection must be locked. */
export async function recordPass(tx: Tx, now: Date, sessionToken: string, { identityId, connectionId }: Pass) {
  const values = { sessionToken, connectionId, passedAt: now }
  const target = [ssoPasses.sessionToken, ssoPasses.connectionId]
  await tx
    .insert(ssoPasses)
    .values(values)
    .onConflictDoUpdate({ target, set: { passedAt: now } })
  await tx.update(ssoIdentities).set({ lastUsedAt: now }).where(eq(ssoIdentities.id, identityId))
}

/** Locks the workspace, which whoever changes the connection does. Throws InvalidResponse if they were faster. */
export async function lockConnected(tx: Tx, { account, connection }: Connected) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for('no key update')
  if ((await tx.$count(ssoConnections, eq(ssoConnections.id, connection.id))) === 0)
    throw new InvalidResponse('changed_meanwhile')
}
