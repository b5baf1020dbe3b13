import type { FastifyPluginAsync } from 'fastify'
import { accountsAskingForFactor } from '../accounts/second-factor-requirement.ts'
import { paths } from '../paths.ts'
import { addExports } from './exports.ts'
import { defineMails } from './mails.ts'
import { activityRoutes } from './routes/activity.ts'
import { emailRoutes } from './routes/email.ts'
import { passwordRoutes } from './routes/password.ts'
import { profileRoutes } from './routes/profile.ts'
import { sessionsRoutes } from './routes/sessions.ts'
import { sweepUsers } from './sweeping.ts'

/** What signed-in users can see and change about themselves. */
export const settings: FastifyPluginAsync<{ appName: string }> = async (app, options) => {
  defineMails(app, options)
  addExports(app)
  sweepUsers(app)
  app.addHook('onRequest', app.requireUser)

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  // What signs people in besides their password. Each feature adds its part.
  app.get(paths.security().url, { config: { reauthenticates: true } }, async (request, reply) => {
    const [signInMethods, requiredBy] = await Promise.all([
      app.signInMethods.present(request, reply),
      accountsAskingForFactor(app.db, request.signedIn.user.id),
    ])
    return reply.page('settings/security', { ...signInMethods, required_by: requiredBy })
  })
  app.register(profileRoutes)
  app.register(passwordRoutes)
  app.register(emailRoutes)
  app.register(sessionsRoutes)
  app.register(activityRoutes)
}
