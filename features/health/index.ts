// STAND-IN: to be replaced by the helper who owns this file
import type { FastifyPluginAsync } from 'fastify'
export const health: FastifyPluginAsync = async (app) => {
  app.get('/up', () => ({ status: 'up' }))
}
