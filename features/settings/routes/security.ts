import type { FastifyPluginAsync } from 'fastify'
import { authOf } from '../../../plugins/security/session.ts'
import { accountsAskingForFactor } from '../../accounts/requirement.ts'
import { paths } from '../../paths.ts'

/** What signs people in besides their password. Each feature adds its part. */
export const securityRoutes: FastifyPluginAsync = async (app) => {
  app.get(paths.security().url, { config: { reauthenticates: true } }, async (request, reply) => {
    const [waysIn, requiredBy] = await Promise.all([
      app.waysIn.present(request, reply),
      accountsAskingForFactor(app.db, authOf(request).user.id),
    ])
    return reply.page('settings/security', { ...waysIn, required_by: requiredBy })
  })
}
