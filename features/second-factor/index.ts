import type { FastifyPluginAsync } from 'fastify'
import { relyingPartyOf } from '../passkeys/index.ts'
import { defineMails } from './mails.ts'
import { securityRoutes } from './routes/security.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { removeSecondFactor, secondFactorOf } from './second-factors.ts'

type Options = Parameters<typeof relyingPartyOf>[0]

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync<Options> = async (app, options) => {
  defineMails(app, options)

  app.waysIn.add({
    remove: (tx, user, added) => removeSecondFactor(app, tx, user, added),
    async left(db, userId) {
      const factor = await secondFactorOf(db, userId)
      if (!factor) return []
      const { codesLeft } = factor
      return ['your authenticator app', codesLeft === 1 ? 'one recovery code' : `${codesLeft || 'no'} recovery codes`]
    },
  })
  app.register(signInRoutes, { ...relyingPartyOf(options, app.now), origin: options.origin })
  app.register(securityRoutes, options)
}
