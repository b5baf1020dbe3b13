import type { FastifyPluginAsync } from 'fastify'
import { optional } from '../../plugins/inertia/index.ts'
import { hasPasskey } from '../auth/sign-in-methods.ts'
import { defineMails } from './mails.ts'
import { isWorthOffering } from './passkeys.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { signInRoutes } from './routes/sign-in.ts'

/** Sign-in with passkeys, which cover both factors in one step. */
export const passkeys: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, options) => {
  defineMails(app, options)
  app.share(
    'has_passkey',
    async ({ auth, routeOptions }) =>
      (auth && routeOptions.config.reauthenticates && (await hasPasskey(app.db, auth.user.id))) || undefined,
  )
  app.share('offer_passkey', ({ auth }) => (auth ? optional(() => isWorthOffering(app.db, auth)) : undefined))
  app.register(signInRoutes, options)
  app.register(passkeyRoutes)
}
