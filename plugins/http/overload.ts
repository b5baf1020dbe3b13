import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { instrument } from '../instrumentation.ts'
import { Unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that never ends, such as an event stream. Its duration says nothing. */
    streaming?: true
  }
}

/** Refuses requests while the event loop is more than a second late: clients would give up, retry and make it worse. */
export default fp(
  async (app: FastifyInstance) => {
    await app.register(underPressure, {
      maxEventLoopDelay: 1_000,
      pressureHandler(request, reply) {
        if (!app.server.listening) return // work at the start is no load
        request.fault = new Unavailable('the event loop is late')
        instrument('refusal', { reason: 'late' })
        reply.sendError(503)
      },
    })
  },
  { name: 'overload', dependencies: ['errors'] },
)
