import type { FastifyPluginAsync } from 'fastify'
import { sessionsRoutes } from './routes/sessions.ts'

/** What a signed-in user may see and change of themself. */
export const settings: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', app.requireUser)

  app.register(sessionsRoutes)
}
