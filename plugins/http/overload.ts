import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import { instrument } from '../instrumentation.ts'
import { Unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that never ends, such as an event stream. Its duration says nothing. */
    streaming?: true
  }
}

/** Refuses requests while the event loop is too late: clients would give up, retry and make it worse. */
export default fp<{ maxDelayMs: number }>(
  async (app, { maxDelayMs }) => {
    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
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
