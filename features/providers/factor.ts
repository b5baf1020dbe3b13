import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { identities } from '../../drizzle/tables/providers.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { providerWords } from './words.ts'

/** An identity at a provider, with what that says about the user now. */
export const byProvider = ({ now }: FastifyInstance): FirstFactor<Seen & { provider: string }> => ({
  id: 'provider',
  words: providerWords,
  holds: (tx, user, { id }) => isConnected(tx, user.id, id), // it may have been disconnected since
  provider: ({ provider }) => provider,
  started: (tx, user, _token, seen) => recordUse(tx, now(), user.id, seen),
})

type Seen = { id: number; email: string | null; name: string | null }

const isConnected = async (tx: Tx, userId: number, id: number) =>
  (await tx.$count(identities, and(eq(identities.id, id), eq(identities.userId, userId)))) === 1

/** Records a sign-in, and the person's present name and address. */
async function recordUse(tx: Tx, now: Date, userId: number, { id, email, name }: Seen) {
  const isOfUser = and(eq(identities.id, id), eq(identities.userId, userId))
  await tx.update(identities).set({ email, name, lastUsedAt: now }).where(isOfUser)
}
