import { and, asc, eq, inArray, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { endPendingSignIns } from '../auth/pending-sign-in.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'
import { providerNames, providerWords } from './words.ts'

export const identitiesOf = (db: Database | Tx, userId: number) =>
  db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id))

export const isIdentityOf = (userId: number, id: number) => and(eq(identities.id, id), eq(identities.userId, userId))

export const providerName = ({ providers }: FastifyInstance, provider: string) =>
  providers.find(({ id }) => id === provider)?.name ?? providerNames[provider] ?? 'Single sign-on'

/** Disconnects the user's identities, or those that match. Returns how many there were. */
export async function removeIdentities(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const ofUser = and(eq(identities.userId, userId), which)
  const removed = await tx.delete(identities).where(ofUser).returning({ provider: identities.provider })
  if (removed.length > 0) await endPendingSignIns(app, tx, userId)
  for (const { provider } of removed) {
    const details = { provider, provider_name: providerName(app, provider) }
    await recordWithNotice(app, tx, user, 'identity_disconnected', details)
  }
  return removed.length
}

export const providerMethod = (app: FastifyInstance): SignInMethod => ({
  name: 'providers',
  title: text('connected accounts'),
  isEnough: true,
  async find(db, userIds) {
    // The others let nobody in.
    const isConfigured = inArray(
      identities.provider,
      [...app.providers].map(({ id }) => id),
    )
    const usable = and(inArray(identities.userId, userIds), isConfigured)
    const rows = await db.select().from(identities).where(usable).orderBy(asc(identities.id))
    return rows.map(({ id, userId, provider }) => {
      const words = [text('sign-in with {provider}', { provider: providerName(app, provider) })]
      return { userId, id, words, english: provider }
    })
  },
  remove: async (tx, user, { before }) =>
    (await removeIdentities(app, tx, user, before && lt(identities.createdAt, before))) > 0,
})

type Seen = { id: number; provider: string; email: string | null; name: string | null }

/** An identity at a provider, with what that says about the user now. */
export const byProvider = ({ now }: FastifyInstance): FirstFactor<Seen> => ({
  id: 'provider',
  words: providerWords,
  // It may have been disconnected since.
  holds: async (tx, user, { id }) => (await tx.$count(identities, isIdentityOf(user.id, id))) === 1,
  provider: ({ provider }) => provider,
  started: (tx, user, _token, { id, email, name }) =>
    tx.update(identities).set({ email, name, lastUsedAt: now() }).where(isIdentityOf(user.id, id)),
})
