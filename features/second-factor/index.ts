import type { FastifyPluginAsync } from 'fastify'
import { defineMails } from './mails.ts'
import { securityRoutes } from './routes/security.ts'
import { signInRoutes } from './routes/sign-in.ts'

type Options = { appName: string }

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync<Options> = async (app, options) => {
  defineMails(app, options)

  app.register(signInRoutes)
  app.register(securityRoutes, options)
}
