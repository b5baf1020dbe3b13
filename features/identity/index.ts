import type { FastifyPluginAsync } from 'fastify'
import { defineMails } from './mails.ts'
import { disputeRoutes } from './routes/disputes.ts'
import { emailVerificationRoutes } from './routes/email-verification.ts'
import { passwordResetRoutes } from './routes/password-reset.ts'

/** Proves that people own their addresses, by links sent to them. */
export const identity: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)

  app.register(disputeRoutes)
  app.register(emailVerificationRoutes, options)
  app.register(passwordResetRoutes)
}
