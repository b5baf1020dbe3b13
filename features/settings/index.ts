import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { paths } from '../paths.ts'
import { abandoned } from './abandoned.ts'
import { addExports } from './exports.ts'
import { defineMails } from './mails.ts'
import { activityRoutes } from './routes/activity.ts'
import { emailRoutes } from './routes/email.ts'
import { exportRoutes } from './routes/export.ts'
import { passwordRoutes } from './routes/password.ts'
import { profileRoutes } from './routes/profile.ts'
import { securityRoutes } from './routes/security.ts'
import { sessionsRoutes } from './routes/sessions.ts'
import { removeUser } from './user-deletion.ts'

const thirtyDaysMs = 2_592_000_000

type Options = { appName: string }

/** What signed-in users can see and change about themselves. */
export const settings: FastifyPluginAsync<Options> = async (app, options) => {
  defineMails(app, options)
  addExports(app)
  app.addHook('onRequest', app.requireUser)

  const monthAgo = () => new Date(app.now().getTime() - thirtyDaysMs).toISOString()
  app.sweeper.add({
    name: 'email_changes',
    table: emailChanges,
    key: emailChanges.id,
    isExpired: () => sql`${emailChanges.createdAt} < ${monthAgo()}`,
    oldestFirst: true,
  })

  app.sweeper.add({
    name: 'users',
    table: users,
    key: users.id,
    isExpired: () => abandoned(app),
    remove: (userId) => removeUser(app, Number(userId), abandoned(app)),
  })

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  app.register(profileRoutes)
  app.register(passwordRoutes)
  app.register(emailRoutes)
  app.register(securityRoutes)
  app.register(sessionsRoutes)
  app.register(activityRoutes)
  app.register(exportRoutes)
}
