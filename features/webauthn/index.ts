import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { spentChallenges } from '../../drizzle/schema.ts'
import type { Keys } from '../../plugins/security/keys.ts'
import { createChallenges } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'

declare module 'fastify' {
  interface FastifyInstance {
    relyingParty: RelyingParty
  }
}

type Options = { origin: string; appName: string; keys: Keys }

/** What passkeys prove (WebAuthn level 3): at sign-in, as a second factor, and in place of the current password. */
export const webauthn = fp<Options>(
  async (app, { origin, appName, keys }) => {
    const challenges = createChallenges(keys, app.now)
    app.decorate('relyingParty', { id: new URL(origin).hostname, name: appName, origin, challenges })
    app.sweeper.add({
      table: spentChallenges,
      isExpired: () => sql`${spentChallenges.expiresAt} < now() - interval '1 hour'`, // a margin for clock differences
    })
  },
  { name: 'webauthn', dependencies: ['sweeper'] },
)
