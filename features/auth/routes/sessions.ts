import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { wrongChallenge } from '../../../plugins/security/challenges.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { paths } from '../../paths.ts'
import { ChallengeBody, SessionParams } from '../schemas.ts'
import { endOtherSessions, endSession } from '../sessions.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  app.delete('/sessions/:token', { schema: { params: SessionParams } }, async (request, reply) => {
    const { user, session } = authOf(request)
    const { token } = request.params

    if (!(await endSession(app.db, user.id, token, session.token))) throw new NotFound()
    request.security('session', 'ended')
    if (token === session.token) reply.endSession()
    return reply
      .carry({ notice: 'That session has been logged out', clearHistory: true })
      .redirect(paths.sessions().url)
  })

  const config = { form: paths.sessions().url, rateLimit: budget('sessions_end') }
  app.delete(paths.endOtherSessions().url, { schema: { body: ChallengeBody }, config }, async (request, reply) => {
    const { user, session } = authOf(request)
    const digest = await request.challenge(request.body.password_challenge)
    if (!digest) throw new Invalid({ password_challenge: [wrongChallenge] })

    await endOtherSessions(app.db, { userId: user.id, token: session.token }, digest)
    request.security('session', 'ended')
    return reply.notice('All other sessions have been ended').redirect(paths.sessions().url)
  })
}
