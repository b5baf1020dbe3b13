import './activities.ts'
import './rights.ts'
import type { FastifyPluginAsync } from 'fastify'
import { belowAccount } from '../../features/accounts/index.ts'
import { projectsApi } from './api.ts'
import { defineHandover } from './handover.ts'
import { defineMails } from './mails.ts'
import { preferenceRoutes } from './preference-routes.ts'
import { definePreferences } from './preferences.ts'
import { defineReminders } from './reminders.ts'
import { routes } from './routes.ts'

/** What the members of a workspace work on, for whom, and until when. */
export const projects: FastifyPluginAsync = async (app) => {
  defineMails(app)
  defineReminders(app)
  defineHandover(app)
  definePreferences(app)
  app.apiResources.add(projectsApi)
  app.register(preferenceRoutes)
  app.register(async (account) => {
    belowAccount(account)
    account.register(routes)
  })
}
