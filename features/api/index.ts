import swagger from '@fastify/swagger'
import type { FastifyPluginAsync } from 'fastify'
import bodies from '../../plugins/http/bodies.ts'
import { authenticate } from './caller.ts'
import { answerError } from './errors.ts'
import { accountRoutes, invitationRoutes, memberRoutes } from './routes.ts'

/** For programs with a token. Cookies are neither read nor set, so no other site can make a browser use it. */
export const api: FastifyPluginAsync<{ origin: string; appName: string }> = async (app, { origin, appName }) => {
  await app.register(bodies)
  app.removeContentTypeParser(['application/x-www-form-urlencoded', 'text/plain'])
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => reply.sendError(404))
  app.decorateRequest('jsonOnly', true)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // Nothing here only validates, so whoever asks for that must not write.
    if (request.headers.precognition === 'true') return reply.sendError(400)
  })

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: appName, version: '1' },
      servers: [{ url: origin }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())

  await app.register(async (guarded) => {
    guarded.addHook('onRequest', authenticate)
    guarded.register(accountRoutes)
    guarded.register(memberRoutes)
    guarded.register(invitationRoutes)
  })
}
