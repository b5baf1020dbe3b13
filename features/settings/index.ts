import type { FastifyPluginAsync } from 'fastify'
import { paths } from '../paths.ts'
import { defineMails } from './mails.ts'
import { activityRoutes } from './routes/activity.ts'
import { emailRoutes } from './routes/email.ts'
import { passwordRoutes } from './routes/password.ts'
import { profileRoutes } from './routes/profile.ts'
import { securityRoutes } from './routes/security.ts'
import { sessionsRoutes } from './routes/sessions.ts'
import { sweepUsers } from './sweeping.ts'

/** What signed-in users can see and change about themselves. */
export const settings: FastifyPluginAsync<{ appName: string }> = async (app, options) => {
  defineMails(app, options)
  sweepUsers(app)
  app.addHook('onRequest', app.requireUser)

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  app.register(profileRoutes)
  app.register(passwordRoutes)
  app.register(emailRoutes)
  app.register(securityRoutes, options)
  app.register(sessionsRoutes)
  app.register(activityRoutes)
}
