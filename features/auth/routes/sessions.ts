import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChallengeBody } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { SessionParams } from '../schemas.ts'
import { endOtherSessions, endSession } from '../sessions.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const ending = {
    schema: { params: SessionParams },
    config: { form: paths.sessions().url, rateLimit: budget('profile_change') },
  }
  app.delete('/sessions/:token', ending, async (request, reply) => {
    const { userId, token: own } = request.signedIn.session
    const { token } = request.params

    if (!(await endSession(app, userId, token, own))) throw new NotFound()
    request.security('session', 'ended')
    if (token === own) reply.clearSession()
    return reply
      .flash({ notice: text('That session has been logged out'), clearHistory: true })
      .redirect(paths.sessions().url)
  })

  const config = { form: paths.sessions().url, rateLimit: budget('sessions_end') }
  app.delete(paths.endOtherSessions().url, { schema: { body: ChallengeBody }, config }, async (request, reply) => {
    await endOtherSessions(app.db, await confirm(request))
    request.security('session', 'ended')
    return reply.notice(text('All other sessions have been ended')).redirect(paths.sessions().url)
  })
}
