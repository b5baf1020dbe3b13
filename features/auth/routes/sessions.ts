import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { NotFound } from '../../../plugins/http/errors.ts'
import { paths } from '../../paths.ts'
import { SessionParams } from '../schemas.ts'
import { endSession } from '../sessions.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  app.delete('/sessions/:token', { schema: { params: SessionParams } }, async (request, reply) => {
    const { user, session } = request.signedIn()
    const { token } = request.params

    if (!(await endSession(app.db, user.id, token, session.token))) throw new NotFound()
    request.security('session', 'ended')
    if (token === session.token) reply.endSession()
    return reply
      .carry({ notice: 'That session has been logged out', clearHistory: true })
      .redirect(paths.sessions().url)
  })
}
