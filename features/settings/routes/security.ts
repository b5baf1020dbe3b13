import type { FastifyPluginAsync } from 'fastify'
import { paths } from '../../paths.ts'

/** What signs people in besides their password. Each feature adds its part. */
export const securityRoutes: FastifyPluginAsync = async (app) => {
  app.get(paths.security().url, { config: { reauthenticates: true } }, async (request, reply) =>
    reply.page('settings/security', await app.waysIn.present(request, reply)),
  )
}
