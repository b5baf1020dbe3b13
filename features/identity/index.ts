import type { FastifyPluginAsync } from 'fastify'
import { defineMails } from './mails.ts'
import { disputeRoutes } from './routes/disputes.ts'
import { emailVerificationRoutes } from './routes/email-verification.ts'
import { passwordResetRoutes } from './routes/password-reset.ts'

/** Links by mail, which prove that people own their addresses. */
export const identity: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)

  app.register(disputeRoutes)
  app.register(emailVerificationRoutes, options)
  app.register(passwordResetRoutes)
}
