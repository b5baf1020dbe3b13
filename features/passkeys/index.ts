import type { KeyObject } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { createChallenges } from './challenges.ts'
import { defineMails } from './mails.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { signInRoutes } from './routes/sign-in.ts'

type Options = { origin: string; appName: string; key: KeyObject }

/** Signing in with what a device keeps and unlocks for its owner: both factors in one step (WebAuthn level 3). */
export const passkeys: FastifyPluginAsync<Options> = async (app, { origin, appName, key }) => {
  defineMails(app, { appName })
  const options = {
    party: { id: new URL(origin).hostname, name: appName, origin },
    challenges: createChallenges(key, app.now),
  }
  app.register(signInRoutes, { ...options, origin })
  app.register(passkeyRoutes, options)
}
