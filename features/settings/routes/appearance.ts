import type { FastifyPluginAsync } from 'fastify'
import { paths } from '../../paths.ts'

export const appearanceRoutes: FastifyPluginAsync = async (app) => {
  app.get(paths.appearance().url, (_request, reply) => reply.page('settings/appearance', {}))
}
