import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formRoute } from '../../features/forms.ts'
import { text } from '../../plugins/languages/index.ts'
import { projectPaths } from './paths.ts'
import { changeReminders, checkReminders, hasReminders } from './preferences.ts'
import { PreferencesBody } from './schemas.ts'

/** A tab of a person's settings. */
export const preferenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const page = projectPaths.projectPreferences().url
  app.get(page, async (request, reply) =>
    reply.page('projects/preferences', { reminders: await hasReminders(app.db, request.signedIn.user.id) }),
  )

  const change = formRoute(page, 'profile_change', { body: PreferencesBody })
  app.patch(projectPaths.changeProjectPreferences().url, change, async (request, reply) => {
    const reminders = checkReminders(request.body.reminders)
    await changeReminders(app, request.signedIn.session, reminders)
    return reply.notice(text('Your settings have been saved')).redirect(page)
  })
}
