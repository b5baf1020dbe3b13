import { type AnyColumn, and, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, sessionFactors, sessions, type User, users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { recoveryCodes, secondFactors } from '../../drizzle/tables/second-factor.ts'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { endFor } from '../accounts/endings.ts'
import { hasSecondFactor, hasTwoFactors } from '../accounts/requirements.ts'
import type { WayIn } from '../activity/activities.ts'
import { forgetTrustedBrowsers } from '../second-factor/trusted-browsers.ts'
import { recordWithNotice } from './notices.ts'
import { endOperator } from './operators.ts'
import { endPendingSignIns } from './pending-sign-in.ts'
import { providerName } from './sign-in-methods.ts'

type Which = { before?: Date | undefined; singleSignOn?: SQL }

/** Removes those added before this time, or all. The user must be locked. Returns what there was. */
export async function removeSignInMethods(
  app: FastifyInstance,
  tx: Tx,
  user: User,
  { before, singleSignOn }: Which = {},
) {
  const removesFactor = user.secondFactorAt !== null && (!before || user.secondFactorAt < before)
  if (removesFactor) await removeSecondFactor(app, tx, user)
  const older = (createdAt: AnyColumn) => before && lt(createdAt, before)
  const removed: Record<WayIn, boolean> = {
    password: false,
    second_factor: removesFactor,
    passkeys: (await removePasskeys(app, tx, user, older(passkeys.createdAt))) > 0,
    providers: (await removeIdentities(app, tx, user, older(identities.createdAt))) > 0,
    single_sign_on: (await removeSsoIdentities(app, tx, user, and(older(ssoIdentities.createdAt), singleSignOn))) > 0,
    tokens: (await removeTokens(app, tx, user, older(apiTokens.createdAt))) > 0,
  }
  if (!before) await forgetTrustedBrowsers(tx, user.id)
  await endFor(app, tx, 'methodsRemoved', { userId: user.id, before })
  return (Object.keys(removed) as WayIn[]).filter((way) => removed[way])
}

export async function removeSecondFactor(app: FastifyInstance, tx: Tx, user: User, actorId: number | null = user.id) {
  const { id: userId } = user
  if (!user.secondFactorAt) return
  await tx.update(users).set({ secondFactorAt: null }).where(eq(users.id, userId))
  await tx.update(secondFactors).set({ secret: null }).where(eq(secondFactors.userId, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await forgetTrustedBrowsers(tx, userId)
  await withdrawFactors(app, tx, userId)
  await recordWithNotice(app, tx, user, 'second_factor_disabled', { actorId })
  await endOperator(app, tx, user)
}

export async function removePasskeys(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const ofUser = and(eq(passkeys.userId, userId), which)
  const removed = await tx.delete(passkeys).where(ofUser).returning({ passkey_name: passkeys.name })
  if (removed.length > 0) await withdrawFactors(app, tx, userId)
  await recordWithNotice(app, tx, user, 'passkey_removed', ...removed)
  return removed.length
}

export async function removeIdentities(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const ofUser = and(eq(identities.userId, userId), which)
  const removed = await tx.delete(identities).where(ofUser).returning({ provider: identities.provider })
  if (removed.length > 0) await endPendingSignIns(tx, userId)
  for (const { provider } of removed) {
    const details = { provider, provider_name: providerName(app, provider) }
    await recordWithNotice(app, tx, user, 'identity_disconnected', details)
  }
  return removed.length
}

/** Disconnects single sign-on, with its passes. Returns how many there were. That they had it is kept. */
export async function removeSsoIdentities(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const connected = and(eq(ssoIdentities.userId, userId), isNotNull(ssoIdentities.subject), which)
  const removed = await tx
    .update(ssoIdentities)
    .set({ subject: null, email: null })
    .from(accounts)
    .where(and(connected, eq(accounts.id, ssoIdentities.accountId)))
    .returning({ accountId: accounts.id, account_name: accounts.name })
  if (removed.length === 0) return 0
  const ids = removed.map(({ accountId }) => accountId)
  await tx.execute(sql`
    delete from ${ssoPasses} using ${sessions}, ${ssoConnections}
    where ${ssoPasses.sessionToken} = ${sessions.token} and ${sessions.userId} = ${userId}
      and ${ssoPasses.connectionId} = ${ssoConnections.id} and ${inArray(ssoConnections.accountId, ids)}`)
  await endPendingSignIns(tx, userId)
  await recheckUser(tx, userId)
  await recordWithNotice(app, tx, user, 'sso_disconnected', ...removed.map(({ account_name }) => ({ account_name })))
  return removed.length
}

/** Revokes the user's tokens, or those that match. Returns how many there were. */
export async function removeTokens(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const ofUser = and(eq(apiTokens.userId, user.id), which)
  const removed = await tx.delete(apiTokens).where(ofUser).returning({ token_name: apiTokens.name })
  await recordWithNotice(app, tx, user, 'token_revoked', ...removed)
  return removed.length
}

/**
 * When the last second factor is removed, sessions and tokens no longer count as begun with two, or a factor added
 * later would count for sessions that never proved it. Their streams are checked, since an account may require a
 * factor.
 */
async function withdrawFactors(app: FastifyInstance, tx: Tx, userId: number) {
  const hasNone = sql`${hasSecondFactor(app, sql`${userId}::bigint`)} is not true` // passkeys are factors, too
  // By the method, which is right in rows from before the other columns, too: a trigger writes these.
  const method = sql`case ${sessionFactors.firstFactor} when 'passkey' then 'password'
    else concat(${sessionFactors.firstFactor}, ':' || ${sessionFactors.provider}) end`
  const beganWithTwo = and(eq(sessions.userId, userId), hasTwoFactors, hasNone)
  await tx.update(sessions).set({ method, twoFactorsSince: null }).where(beganWithTwo)
  await forgetTrustedBrowsers(tx, userId, hasNone)
  const tokensOfUser = and(eq(apiTokens.userId, userId), hasNone)
  await tx.update(apiTokens).set({ hasSecondFactor: false, twoFactorsSince: null }).where(tokensOfUser)
  await recheckUser(tx, userId)
}
