import type { FastifyPluginAsync } from 'fastify'
import { always } from '../../plugins/inertia/index.ts'
import { hasJustBegun } from '../reauthentication/index.ts'
import { defineMails } from './mails.ts'
import { presentUser } from './props.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

type Options = { origin: string; appName: string; invitationOnly: boolean }

/** Sign-up, sign-in and sign-out. */
export const auth: FastifyPluginAsync<Options> = async (app, options) => {
  app.share('auth', ({ auth }) =>
    always({ user: auth && presentUser(auth.user), session: auth && { id: auth.session.token } }),
  )

  app.share('without_password', async ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    const recent = await hasJustBegun(app, auth.session.token)
    return recent === undefined ? undefined : { recent }
  })

  defineMails(app, options)
  app.register(signUpRoutes, options)
  app.register(signInRoutes, options)
  app.register(sessionRoutes)
}
