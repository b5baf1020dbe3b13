import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { spentChallenges } from '../../drizzle/schema.ts'
import type { Keys } from '../../plugins/security/keys.ts'
import { createChallenges } from './challenges.ts'
import { defineMails } from './mails.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { signInRoutes } from './routes/sign-in.ts'

const anHour = 3_600_000 // milliseconds

type Options = { origin: string; appName: string; keys: Keys }

/** Sign-in with passkeys, which cover both factors in one step (WebAuthn level 3). */
export const passkeys: FastifyPluginAsync<Options> = async (app, { origin, appName, keys }) => {
  defineMails(app, { appName })
  const anHourAgo = () => new Date(app.now().getTime() - anHour).toISOString() // a margin for clock differences
  app.sweeper.add({
    name: 'spent_challenges',
    table: spentChallenges,
    key: spentChallenges.challenge,
    over: () => sql`${spentChallenges.expiresAt} < ${anHourAgo()}`,
  })
  const options = {
    party: { id: new URL(origin).hostname, name: appName, origin },
    challenges: createChallenges(keys, app.now),
  }
  app.register(signInRoutes, { ...options, origin })
  app.register(passkeyRoutes, options)
}
