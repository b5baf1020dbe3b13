import { and, asc, desc, eq, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { recoveryCodes } from '../../drizzle/tables/second-factor.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
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

export const providerName = ({ providers }: FastifyInstance, provider: string) =>
  providers.find(({ id }) => id === provider)?.name ?? providerNames[provider] ?? 'Single sign-on'
