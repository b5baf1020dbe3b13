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

/** Refuses requests while the event loop stays late. A `maxDelayMs` of 0 refuses none. */
export default fp<{ maxDelayMs: number }>(
  async (app, { maxDelayMs }) => {
    const staysLate = lateness(maxDelayMs)
    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
      pressureHandler(request, reply) {
        if (!staysLate(performance.now())) return
        request.fault = new Unavailable('the event loop is late')
        instrument('refusal', { reason: 'late' })
        reply.sendError(503)
      },
    })
  },
  { name: 'overload', dependencies: ['errors'] },
)

/**
 * Tells a loop that stays late from a single spike, such as the start of the process: it is over by the time we know.
 */
export function lateness(maxDelayMs: number) {
  let lateSince = 0
  let lastLate = Number.NEGATIVE_INFINITY
  return (now: number) => {
    if (now - lastLate > 10 * maxDelayMs) lateSince = now
    lastLate = now
    return now - lateSince > 1.5 * maxDelayMs
  }
}
