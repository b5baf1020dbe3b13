import type { FastifyPluginAsync } from 'fastify'
import { always, once, optional } from '../../plugins/inertia/index.ts'
import { picturePath } from '../paths.ts'
import { hasJustBegun } from '../reauthentication/index.ts'
import { defineMails } from './notices.ts'
import { presentUser } from './props.ts'
import { sessionRoutes, signInRoutes, signUpRoutes } from './routes.ts'
import { hasPasskey, isPasskeyWorthOffering } from './sign-in-methods.ts'

/** Sign-up, sign-in and sign-out, and what pages know about the signed-in person. */
export const auth: FastifyPluginAsync = async (app) => {
  app.share('auth', ({ auth }) =>
    always({ user: auth && presentUser(auth.user), session: auth && { id: auth.session.token } }),
  )
  app.share('picture', ({ auth }) => {
    if (!auth) return undefined
    const { picture } = auth.user
    return once(() => picturePath(picture), { key: `picture:${picture ?? ''}` })
  })
  app.share('offer_passkey', ({ auth }) => (auth ? optional(() => isPasskeyWorthOffering(app.db, auth)) : undefined))

  // For forms that ask for the current password.
  app.share('without_password', async ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    const recent = await hasJustBegun(app, auth.session.token)
    return recent === undefined ? undefined : { recent }
  })
  app.share('has_passkey', async ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    return (await hasPasskey(app.db, auth.user.id)) || undefined
  })

  defineMails(app)
  app.register(signUpRoutes)
  app.register(signInRoutes)
  app.register(sessionRoutes)
}
