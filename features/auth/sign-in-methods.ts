import { and, asc, desc, eq, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { apiTokens, identities, passkeys, recoveryCodes, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { providerNames } from './methods.ts'
import type { Provable } from './props.ts'

// Sign-in methods besides the password: passkeys, other sites, the second factor with its recovery codes, and tokens of
// the API.

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

/** When the second factor was enabled, and how many recovery codes are left. Undefined if it is off. */
export async function secondFactorOf(db: Database, userId: number) {
  const [user] = await db.select({ enabledAt: users.secondFactorAt }).from(users).where(eq(users.id, userId))
  if (!user?.enabledAt) return undefined
  const codesLeft = await db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))
  return { enabledAt: user.enabledAt, codesLeft }
}

export const factorsOf = async (db: Database, userId: number): Promise<Provable> => ({
  code: (await secondFactorOf(db, userId)) !== undefined,
  passkey: await hasPasskey(db, userId),
})

/** Identities whose provider is still configured. */
export const usableIdentities = async ({ providers }: FastifyInstance, db: Database | Tx, userId: number) =>
  (await identitiesOf(db, userId)).filter(({ provider }) => providers.some(({ id }) => id === provider))

type Removed = { passkeyId?: number; identityId?: number }

/** For the removal of a passkey or an identity. Throws Refused if it is the only sign-in method. */
export async function requireAnotherMethod(app: FastifyInstance, db: Database | Tx, userId: number, removed: Removed) {
  const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
  const remaining = [
    ...(await passkeysOf(db, userId)).filter(({ id }) => id !== removed.passkeyId),
    ...(await usableIdentities(app, db, userId)).filter(({ id }) => id !== removed.identityId),
  ]
  if (!user?.digest && remaining.length === 0) throw new Refused(text('Set a password or add a passkey first'))
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

export const providerName = ({ providers }: FastifyInstance, provider: string) =>
  providers.find(({ id }) => id === provider)?.name ?? providerNames[provider] ?? 'Single sign-on'

type Ways = {
  hasPassword: boolean
  passkeys: number
  providers: string[] | null
  /** Of how many workspaces. */
  singleSignOns: number
  secondFactorAt: Date | null
}

/** How somebody can sign in, for operators, in English. */
export function waysIn({ hasPassword, passkeys, providers, singleSignOns, secondFactorAt }: Ways) {
  const ways = hasPassword ? ['password'] : []
  if (passkeys > 0) ways.push(passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`)
  ways.push(...(providers ?? []))
  if (singleSignOns > 0) ways.push('single sign-on')
  if (secondFactorAt) ways.push('second factor')
  return ways
}
