import type { FastifyPluginAsync } from 'fastify'
import { paths } from '../paths.ts'
import { defineMails } from './mails.ts'
import { changeRoutes } from './routes/changes.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sweepUsers } from './sweeping.ts'

export const settings: FastifyPluginAsync<{ appName: string }> = async (app, options) => {
  defineMails(app, options)
  sweepUsers(app)
  app.addHook('onRequest', app.requireUser)

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  app.register(changeRoutes)
  app.register(overviewRoutes, options)
}
