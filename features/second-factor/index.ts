import type { FastifyPluginAsync } from 'fastify'
import { defineMails } from './mails.ts'
import { byCode } from './routes/code.ts'
import { securityRoutes, showSecondFactor } from './routes/security.ts'
import { signInStep } from './routes/sign-in.ts'
import { removeSecondFactor, secondFactorOf } from './second-factors.ts'

type Options = { appName: string }

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
    present: showSecondFactor(app, options),
  })
  app.factors.add(byCode(app))
  app.signInSteps.add(signInStep(app))
  app.register(securityRoutes)
}
