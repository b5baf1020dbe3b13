import { AsyncResource } from 'node:async_hooks'
import underPressure from '@fastify/under-pressure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { instrument } from '../instrumentation.ts'
import { isBodyExpected } from './body-limits.ts'
import { Unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that never ends, such as an event stream. It is not counted here. */
    streaming?: true
  }
}

type Options = {
  /** Requests in progress at once. More would not finish any sooner and would only block the event loop for longer. */
  maxInFlight?: number
  /** Requests that may wait until another one ends. */
  maxQueued?: number
  /** How long a request waits. */
  timeoutMs?: number
}

type Waiting = { isExpired: boolean; begin: () => void; reject: () => void }

const maxPerTurn = 8 // of the queue, in one turn of the event loop
const cooldownMs = 1_000 // after the last rejection
const cooldownTimeoutMs = 100
const retryAfterSeconds = 2 // enough for an overloaded process to catch up
const maxDelayMs = 1_000 // of the event loop
const pauseMs = 10_000 // after which being late is excused once more

const faults = {
  late: new Unavailable('the event loop is late'),
  full: new Unavailable('too many requests are in flight'),
}

/**
 * Rejects requests that the process cannot handle in time: behind an unbounded queue, clients give up and retry, which
 * makes it worse. Waiting helps in a short burst. After a rejection, and until none was necessary for a second, fewer
 * requests are in flight and the others wait briefly, since a long queue would only make every response late.
 */
export default fp<Options>(
  async (app, { maxInFlight = 200, maxQueued = 1_000, timeoutMs = 500 }) => {
    const queue: Waiting[] = []
    const inFlight = new Set<FastifyRequest>()
    let cooldownUntil = Number.NEGATIVE_INFINITY
    let isDrainScheduled = false

    const isCoolingDown = () => performance.now() < cooldownUntil
    const hasRoom = () => inFlight.size < (isCoolingDown() ? Math.ceil(maxInFlight / 3) : maxInFlight)

    function admit(request: FastifyRequest, reply: FastifyReply, done: () => void) {
      if (inFlight.has(request) || request.routeOptions.config.streaming) return done()
      if (queue.length === 0 && hasRoom()) {
        inFlight.add(request)
        // A change waits for a turn of the event loop: a body that was sent along is complete by then.
        return isSafe(request) ? done() : void setImmediate(done)
      }
      if (queue.length >= maxQueued) return reject(request, reply)

      const waiting: Waiting = {
        isExpired: false,
        // When another request ends, but not in the async context of that one.
        begin: AsyncResource.bind(() => {
          clearTimeout(timer)
          inFlight.add(request)
          done()
        }),
        reject: () => reject(request, reply),
      }
      const expire = () => {
        waiting.isExpired = true
        scheduleDrain()
      }
      const timer = setTimeout(expire, isCoolingDown() ? Math.min(timeoutMs, cooldownTimeoutMs) : timeoutMs)
      queue.push(waiting)
    }

    function release(request: FastifyRequest) {
      if (inFlight.delete(request)) scheduleDrain()
    }

    // Not at once: what ended during a pause makes room first, and a thousand must not begin in a single turn.
    function scheduleDrain() {
      if (isDrainScheduled || queue.length === 0) return
      isDrainScheduled = true
      setImmediate(drainQueue)
    }

    function drainQueue() {
      isDrainScheduled = false
      for (let taken = 0; taken < maxPerTurn; taken++) {
        const [first] = queue
        if (!first || !(hasRoom() || first.isExpired)) return
        queue.shift()
        if (hasRoom()) first.begin()
        else first.reject()
      }
      scheduleDrain()
    }

    function reject(request: FastifyRequest, reply: FastifyReply) {
      cooldownUntil = performance.now() + cooldownMs
      refuse(request, reply, 'full')
    }

    let lateSince = Number.NEGATIVE_INFINITY
    let lastLate = Number.NEGATIVE_INFINITY

    /** Late once may be a pause of the whole machine, which is over by the time we know. Load makes us late again. */
    function staysLate() {
      const now = performance.now()
      if (now - lastLate > pauseMs) lateSince = now
      lastLate = now
      return now - lateSince > 1.5 * maxDelayMs
    }

    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
      pressureHandler(request, reply) {
        // Work at the start is no load.
        if (app.server.listening && staysLate()) refuse(request, reply, 'late')
      },
    })
    app.addHook('onRequest', admit)
    // A body that is still arriving takes no place, so slow uploads cannot occupy all of them.
    app.addHook('preParsing', (request, _reply, _payload, done) => {
      if (isBodyExpected(request)) release(request)
      done()
    })
    app.addHook('preValidation', admit)
    app.addHook('onSend', (request, _reply, _payload, done) => {
      release(request)
      done()
    })
  },
  { name: 'overload', dependencies: ['errors'] },
)

const isSafe = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Kept as cheap as possible, because an overloaded process spends most of its time here. */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: keyof typeof faults) {
  request.fault = faults[reason]
  instrument('refusal', { reason })
  request.headers['x-no-compression'] = 'true'
  reply.header('retry-after', retryAfterSeconds).sendError(503)
}
