import type { FastifyInstance } from 'fastify'
import type { FirstFactor } from '../auth/first-factors.ts'
import { isConnected, recordUse, type Seen } from './identities.ts'
import { providerWords } from './words.ts'

/** An identity at a provider, with what that says about the user now. */
export const byProvider = ({ now }: FastifyInstance): FirstFactor<Seen & { provider: string }> => ({
  id: 'provider',
  words: providerWords,
  holds: (tx, user, { id }) => isConnected(tx, user.id, id), // it may have been disconnected since
  provider: ({ provider }) => provider,
  started: (tx, user, _token, seen) => recordUse(tx, now(), user.id, seen),
})
