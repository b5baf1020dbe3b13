import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, type User } from '../../drizzle/schema.ts'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import type { Actor } from '../accounts/access.ts'
import { account, member, type StrongProof } from '../accounts/requirements.ts'
import { requireVerifiedAddressAtDomainOf } from './addresses.ts'
import type { Connected } from './connections.ts'

export type Pass = { identityId: number; connectionId: number }

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
  await requireVerifiedAddressAtDomainOf(tx, row.account, user)
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

const thirtyDaysMs = 2_592_000_000

/** A session that passed the connection of a workspace has done all that it asks, also by a second factor. */
export function passProof({ site }: FastifyInstance): StrongProof {
  const after = (now: SQL, ms: number) => sql`${now} - ${ms} * interval '1 millisecond'`
  const maxMs = site.singleSignOn?.maxMs ?? 0
  return {
    name: 'single-sign-on',
    opens({ shown, isException, now }) {
      if ('session' in shown) {
        return sql`exists (
            select from ${ssoPasses} pass join ${ssoConnections} connection on connection.id = pass.connection_id
            where pass.session_token = ${shown.session} and connection.account_id = ${account.id}
              and pass.passed_at > ${after(now, maxMs)})`
      }
      const hasPassed = sql`connection.account_id = ${account.id} and connection.id = any(${shown.kept})`
      if (isException) return sql`exists (select from ${ssoConnections} connection where ${hasPassed})`
      // As long as the person passes again and again.
      return sql`exists (
        select from ${ssoConnections} connection join ${ssoIdentities} identity using (account_id)
        where ${hasPassed} and identity.user_id = ${member.userId} and identity.subject is not null
          and identity.last_used_at > ${after(now, thirtyDaysMs)})`
    },
    kept: (token, now) =>
      sql`array(select ${ssoPasses.connectionId} from ${ssoPasses} where ${isValid(token, now, maxMs)})`,
  }
}

const isValid = (token: string, now: Date, maxMs: number) =>
  and(eq(ssoPasses.sessionToken, token), gt(ssoPasses.passedAt, new Date(now.getTime() - maxMs)))

/** Whether a session has passed the connection of an account, and need not do so again. */
export async function hasPassed(app: FastifyInstance, db: Database | Tx, { accountId, credential }: Actor) {
  if (typeof credential !== 'string') return false
  const isOfAccount = eq(ssoConnections.accountId, accountId)
  const passed = await db
    .select({ id: ssoPasses.connectionId })
    .from(ssoPasses)
    .innerJoin(ssoConnections, eq(ssoConnections.id, ssoPasses.connectionId))
    .where(and(isValid(credential, app.now(), app.site.singleSignOn?.maxMs ?? 0), isOfAccount))
  return passed.length > 0
}

/** Locks the workspace, which whoever changes the connection does. Throws InvalidResponse if they were faster. */
export async function lockConnected(tx: Tx, { account, connection }: Connected) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for('no key update')
  if ((await tx.$count(ssoConnections, eq(ssoConnections.id, connection.id))) === 0)
    throw new InvalidResponse('changed_meanwhile')
}
