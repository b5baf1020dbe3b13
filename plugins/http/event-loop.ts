import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { refuse } from './refusal.ts'

const maxDelayMs = 1_000
const pauseMs = 10_000 // after which being late is excused once more

/** Rejects requests while the event loop stays late. Work at the start is no load, so it counts from listening on. */
export async function refuseWhileLate(app: FastifyInstance) {
  let lateSince = Number.NEGATIVE_INFINITY
  let lastLate = Number.NEGATIVE_INFINITY

  /** Late once may be a pause of the whole machine, which is over by the time we know. Load makes us late again. */
  function staysLate() {
    const now = performance.now()
    if (now - lastLate > pauseMs) lateSince = now
    lastLate = now
    return now - lateSince > 1.5 * maxDelayMs
  }

  let isListening = false
  app.addHook('onListen', async () => {
    isListening = true
  })
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    pressureHandler(request, reply) {
      if (isListening && staysLate()) refuse(request, reply, 'late')
    },
  })
}
