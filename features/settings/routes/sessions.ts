import type { FastifyPluginAsync } from 'fastify'
import { presentSession } from '../../auth/props.ts'
import { sessionsOf } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'

export const sessionsRoutes: FastifyPluginAsync = async (app) => {
  app.get(paths.sessions().url, async (request, reply) => {
    const sessions = await sessionsOf(app.db, request.signedIn().user.id)
    return reply.page('settings/sessions', { sessions: sessions.map(presentSession) })
  })
}
