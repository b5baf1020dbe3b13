import type { FastifyPluginAsync } from 'fastify'
import { defineMails } from './mails.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { signInRoutes } from './routes/sign-in.ts'

/** Sign-in with passkeys, which cover both factors in one step. */
export const passkeys: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)
  app.register(signInRoutes, options)
  app.register(passkeyRoutes)
}
