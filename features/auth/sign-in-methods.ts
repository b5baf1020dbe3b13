import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  apiTokens,
  identities,
  passkeys,
  recoveryCodes,
  secondFactors,
  sessions,
  trustedBrowsers,
  type User,
  users,
} from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import type { Auth } from '../../plugins/security/session.ts'
import { hasNoSecondFactor, hasTwoFactors } from '../accounts/second-factor-requirement.ts'
import { record } from '../activity/index.ts'
import { forgetTrustedBrowsers } from './device.ts'
import { queueNotice } from './notices.ts'
import { endPendingSignIns } from './pending-sign-in.ts'
import type { Provable, Provider } from './props.ts'

// Sign-in methods besides the password: passkeys, other sites, the second factor with its recovery codes, and tokens of
// the API.

declare module 'fastify' {
  interface FastifyInstance {
    providers: Provider[]
  }
}

export const passkeysOf = (db: Database | Tx, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

export const identitiesOf = (db: Database | Tx, userId: number) =>
  db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id))

/** Newest first. */
export const tokensOf = (db: Database | Tx, userId: number, which?: SQL) =>
  db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), which))
    .orderBy(desc(apiTokens.id))

export const hasPasskey = async (db: Database, userId: number) =>
  (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0

/** Whether to suggest a passkey: to someone who signed in with their password, has none, and may add one. */
export async function isPasskeyWorthOffering(db: Database, { user, session }: Auth) {
  if (!user.verified || (await hasPasskey(db, user.id))) return false
  const [began] = await db.select({ method: sessions.method }).from(sessions).where(eq(sessions.token, session.token))
  return began?.method.startsWith('password') === true
}

export const countRecoveryCodes = (db: Database, userId: number) =>
  db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))

/** When the second factor was enabled, and how many recovery codes are left. Undefined if it is off. */
export async function secondFactorOf(db: Database, userId: number) {
  const [user] = await db.select({ enabledAt: users.secondFactorAt }).from(users).where(eq(users.id, userId))
  return user?.enabledAt ? { enabledAt: user.enabledAt, codesLeft: await countRecoveryCodes(db, userId) } : undefined
}

export const factorsOf = async (db: Database, userId: number): Promise<Provable> => ({
  code: (await secondFactorOf(db, userId)) !== undefined,
  passkey: await hasPasskey(db, userId),
})

/** Identities whose provider is still configured. */
const usableIdentities = async ({ providers }: FastifyInstance, db: Database | Tx, userId: number) =>
  (await identitiesOf(db, userId)).filter(({ provider }) => providers.some(({ id }) => id === provider))

/** For the removal of a passkey or an identity. Throws Refused if it is the only sign-in method. */
export async function requireAnotherMethod(
  app: FastifyInstance,
  db: Database | Tx,
  userId: number,
  removed: { passkeyId?: number; identityId?: number },
) {
  const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
  const remaining = [
    ...(await passkeysOf(db, userId)).filter(({ id }) => id !== removed.passkeyId),
    ...(await usableIdentities(app, db, userId)).filter(({ id }) => id !== removed.identityId),
  ]
  if (!user?.digest && remaining.length === 0) throw new Refused(text('Set a password or add a passkey first'))
}

export async function methodsInWords(app: FastifyInstance, userId: number): Promise<Text[]> {
  const { db } = app
  const factor = await secondFactorOf(db, userId)
  return [
    ...(factor ? [text('your authenticator app'), recoveryCodesInWords(factor.codesLeft)] : []),
    ...(await passkeysOf(db, userId)).map((passkey) => {
      const name = nameInMail(passkey.name)
      return name ? text('the passkey “{name}”', { name }) : text('a passkey')
    }),
    ...(await usableIdentities(app, db, userId)).map(({ provider }) =>
      text('sign-in with {provider}', { provider: providerName(app, provider) }),
    ),
    ...(await tokensOf(db, userId, gt(apiTokens.expiresAt, app.now()))).map((token) => {
      const name = nameInMail(token.name)
      return name ? text('the token “{name}”', { name }) : text('a token')
    }),
  ]
}

function recoveryCodesInWords(left: number) {
  if (left === 0) return text('no recovery codes')
  return left === 1 ? text('one recovery code') : text('{count} recovery codes', { count: left })
}

/** Otherwise someone could sign up with another person's address and keep access to it. Throws Refused. */
export function requireVerified<User extends { verified: boolean }>(user: User | undefined) {
  if (!user?.verified) throw new Refused(text('Verify your email first'))
  return user
}

/** Locks the user for such a change. Throws Refused. */
export async function lockVerified(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return requireVerified(user)
}

/** Removes those added before this time, or all. The user must be locked. */
export async function removeSignInMethods(app: FastifyInstance, tx: Tx, user: User, before?: Date) {
  if (!before || (user.secondFactorAt && user.secondFactorAt < before)) await removeSecondFactor(app, tx, user)
  await removePasskeys(app, tx, user, before && lt(passkeys.createdAt, before))
  await removeIdentities(app, tx, user, before && lt(identities.createdAt, before))
  await removeTokens(app, tx, user, before && lt(apiTokens.createdAt, before))
}

export async function removeSecondFactor(app: FastifyInstance, tx: Tx, user: User, actorId: number | null = user.id) {
  const { id: userId } = user
  if (!user.secondFactorAt) return
  await tx.update(users).set({ secondFactorAt: null }).where(eq(users.id, userId))
  await tx.update(secondFactors).set({ secret: null }).where(eq(secondFactors.userId, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await forgetTrustedBrowsers(tx, userId)
  const activityId = await record(tx, 'second_factor_disabled', { userId, actorId })
  await withdrawFactors(tx, userId)
  await queueNotice(app, tx, user, 'second_factor_disabled', { userId, activityId })
}

export async function removePasskeys(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const own = and(eq(passkeys.userId, userId), which)
  const removed = await tx.delete(passkeys).where(own).returning({ name: passkeys.name })
  if (removed.length === 0) return 0
  let activityId = 0 // one mail for all, with the facts of the last
  for (const { name } of removed) activityId = await record(tx, 'passkey_removed', { userId, passkey_name: name })
  await withdrawFactors(tx, userId)
  await queueNotice(app, tx, user, 'passkey_removed', { userId, activityId })
  return removed.length
}

export async function removeIdentities(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const own = and(eq(identities.userId, userId), which)
  const removed = await tx.delete(identities).where(own).returning({ provider: identities.provider })
  if (removed.length > 0) await endPendingSignIns(tx, userId)
  for (const { provider } of removed) {
    const details = { userId, provider, provider_name: providerName(app, provider) }
    const activityId = await record(tx, 'identity_disconnected', details)
    await queueNotice(app, tx, user, 'identity_disconnected', { userId, activityId, provider })
  }
}

/** Revokes the user's tokens, or those that match. Returns how many there were. */
export async function removeTokens(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const own = and(eq(apiTokens.userId, userId), which)
  const removed = await tx.delete(apiTokens).where(own).returning({ name: apiTokens.name })
  let activityId = 0 // one mail for all, with the facts of the last
  for (const { name } of removed) activityId = await record(tx, 'token_revoked', { userId, token_name: name })
  if (removed.length > 0) await queueNotice(app, tx, user, 'token_revoked', { userId, activityId })
  return removed.length
}

const firstFactor = sql`
  case ${sessions.method} when 'passkey' then 'password'
  else regexp_replace(${sessions.method}, '_and_((recovery_)?code|trusted_browser)$', '') end`

/**
 * When the last second factor is removed, sessions and tokens no longer count as begun with two, or a factor added later
 * would count for sessions that never proved it. Their streams are checked, since an account may require a factor.
 */
async function withdrawFactors(tx: Tx, userId: number) {
  const hasNone = hasNoSecondFactor(sql`${userId}::bigint`) // passkeys are factors, too
  const began = and(eq(sessions.userId, userId), hasTwoFactors(sessions.method), hasNone)
  await tx.update(sessions).set({ method: firstFactor }).where(began)
  await tx.delete(trustedBrowsers).where(and(eq(trustedBrowsers.userId, userId), hasNone))
  await tx
    .update(apiTokens)
    .set({ hasSecondFactor: false })
    .where(and(eq(apiTokens.userId, userId), hasNone))
  await recheckUser(tx, userId)
}

export const providerName = ({ providers }: FastifyInstance, provider: string) =>
  providers.find(({ id }) => id === provider)?.name ?? formerNames[provider] ?? 'Single sign-on'

/** Names of providers that are no longer configured but still connected. */
const formerNames: Record<string, string> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}
