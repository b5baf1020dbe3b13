import { AsyncResource } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuseWhileLate } from './event-loop.ts'
import { refuse } from './refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that never ends, such as an event stream. It is not counted here. */
    endless?: true
  }
  interface FastifyRequest {
    isInFlight: boolean
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

type Queued = { request: FastifyRequest; reply: FastifyReply; begin: () => void; expiresAt: number }

const maxPerTurn = 8 // of the queue: begun or rejected, in one turn of the event loop
const cooldownMs = 1_000 // after the last rejection
const cooldownTimeoutMs = 100
const tickMs = 50 // how often waiting times are checked

/**
 * Rejects requests that the process cannot handle in time: behind an unbounded queue, clients give up and retry, which
 * makes it worse. One queue holds what has to wait: requests beyond `maxInFlight`, and every unsafe request for a turn
 * of the event loop, of which a thousand at once would otherwise delay all files and health checks. A body that was
 * sent along is complete by then.
 *
 * Waiting helps in a short burst. After a rejection, and until none was necessary for a second, fewer requests are in
 * flight and the others wait briefly, since a long queue would only make every response late.
 */
export default fp<Options>(
  async (app, { maxInFlight = 200, maxQueued = 1_000, timeoutMs = 500 }) => {
    let inFlight = 0
    let waiting = 0 // in the queue, without a place yet
    let cooldownUntil = Number.NEGATIVE_INFINITY
    let isTurnPlanned = false
    let isTickPlanned = false
    const queue: Queued[] = []
    app.decorateRequest('isInFlight', false)

    const isCoolingDown = () => performance.now() < cooldownUntil
    const limit = () => (isCoolingDown() ? Math.ceil(maxInFlight / 2) : maxInFlight)

    function admit(request: FastifyRequest, reply: FastifyReply, done: () => void) {
      if (request.isInFlight || request.routeOptions.config.endless) return done()
      if (waiting === 0 && inFlight < limit()) acquire(request)
      else if (waiting >= maxQueued) return reject(request, reply)
      else waiting++
      if (request.isInFlight && isSafe(request)) return done()
      enqueue(request, reply, done)
    }

    function acquire(request: FastifyRequest) {
      request.isInFlight = true
      inFlight++
    }

    function release(request: FastifyRequest) {
      if (!request.isInFlight) return
      request.isInFlight = false
      inFlight--
      if (queue.length > 0) planTurn()
    }

    function enqueue(request: FastifyRequest, reply: FastifyReply, done: () => void) {
      const waitMs = isCoolingDown() ? Math.min(timeoutMs, cooldownTimeoutMs) : timeoutMs
      // It begins when another request ends and must not run in the async context of that one.
      queue.push({ request, reply, begin: AsyncResource.bind(done), expiresAt: performance.now() + waitMs })
      planTurn()
    }

    function planTurn() {
      if (isTurnPlanned) return
      isTurnPlanned = true
      setImmediate(takeTurn)
    }

    // If each began as soon as another ended, a thousand would follow each other in a single turn of the event loop.
    function takeTurn() {
      isTurnPlanned = false
      for (let taken = 0; taken < maxPerTurn; taken++) {
        const [first] = queue
        if (!first) return
        if (first.request.isInFlight) {
          queue.shift()
          first.begin()
        } else if (inFlight < limit()) {
          queue.shift()
          waiting--
          acquire(first.request)
          first.begin()
        } else if (performance.now() >= first.expiresAt) {
          queue.shift()
          waiting--
          reject(first.request, first.reply)
        } else {
          return planTick()
        }
      }
      planTurn()
    }

    // In case nothing ends until the first of the queue expires.
    function planTick() {
      if (isTickPlanned) return
      isTickPlanned = true
      setTimeout(() => {
        isTickPlanned = false
        planTurn()
      }, tickMs)
    }

    function reject(request: FastifyRequest, reply: FastifyReply) {
      cooldownUntil = performance.now() + cooldownMs
      refuse(request, reply, 'full')
    }

    await refuseWhileLate(app)
    app.addHook('onRequest', admit)
    // A body that is still arriving takes no place, so slow uploads cannot occupy all of them.
    app.addHook('preParsing', (request, _reply, _payload, done) => {
      if (hasBody(request) && !request.raw.complete) release(request)
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

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
