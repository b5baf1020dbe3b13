import { AsyncResource } from 'node:async_hooks'
import underPressure from '@fastify/under-pressure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { tell } from '../happenings.ts'
import { Unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that never ends, such as an event stream. It is not counted here. */
    endless?: true
  }
  interface FastifyRequest {
    isInHand: boolean
  }
}

type Options = {
  /** Requests in progress at once. More would not finish any sooner and would only block the event loop for longer. */
  most?: number
  /** Requests that may queue for a free place. */
  mostWaiting?: number
  /** How long a request waits in the queue, in milliseconds. */
  patience?: number
  /** The same in an overload. */
  impatience?: number
}

type Waiting = { request: FastifyRequest; reply: FastifyReply; go: () => void; timer: NodeJS.Timeout; since: number }

const perTurn = 8 // of those that waited: begun, and turned away, in one turn of the event loop
const latest = 1_000 // maximum event loop delay in milliseconds
const forgiving = 10_000 // milliseconds after which being late is forgiven once more
const tooLong = 300 // milliseconds in the queue
const rush = 1_000 // milliseconds for which everybody may have to wait that long
const relief = 1_000 // milliseconds without a refusal until an overload is over
const soon = 2 // seconds, enough for an overloaded process to catch up
const late = new Unavailable('the event loop is late')
const full = new Unavailable('too many requests are in hand')

/**
 * Sheds load that the process cannot handle in time: behind an unbounded queue, clients give up and retry, which makes
 * it worse. A request counts while we work on it, but not while its body is arriving, so slow uploads do not take up
 * places.
 *
 * Waiting helps in a moment's rush. A queue that stays long only makes everybody late, so from then on, and until
 * nobody has to be refused any more, fewer requests are in hand and the others wait briefly.
 */
export default fp<Options>(
  async (app, { most = 200, mostWaiting = 1_000, patience = 750, impatience = 100 }) => {
    let inHand = 0
    let isNextTurnPlanned = false
    let lastQuick = Number.NEGATIVE_INFINITY
    let overloadedUntil = Number.NEGATIVE_INFINITY
    const line = new Set<Waiting>() // first in, first out
    const gaveUp: Waiting[] = []
    app.decorateRequest('isInHand', false)

    const isOverloaded = () => performance.now() < overloadedUntil
    const places = () => (isOverloaded() ? Math.ceil(most / 2) : most)

    function arrive(request: FastifyRequest, reply: FastifyReply, go: () => void) {
      if (request.isInHand || request.routeOptions.config.endless) return go()
      if (line.size > 0 || inHand >= places()) {
        const free = Math.max(0, places() - inHand)
        return line.size < mostWaiting + free ? stand(request, reply, go) : turnAway(request, reply)
      }
      lastQuick = performance.now()
      enter(request)
      go()
    }

    function enter(request: FastifyRequest) {
      request.isInHand = true
      inHand++
    }

    function leave(request: FastifyRequest) {
      if (!request.isInHand) return
      request.isInHand = false
      inHand--
      if (line.size > 0) planNextTurn()
    }

    function planNextTurn() {
      if (isNextTurnPlanned) return
      isNextTurnPlanned = true
      setImmediate(nextTurn)
    }

    // If each began as soon as another ended, a thousand would follow each other in a single turn of the event loop.
    function nextTurn() {
      isNextTurnPlanned = false
      for (const { request, reply } of gaveUp.splice(0, perTurn)) refuse(request, reply, full)
      if (gaveUp.length > 0) planNextTurn()
      let begun = 0
      for (const first of line) {
        if (inHand >= places()) return
        if (++begun > perTurn) return planNextTurn()
        line.delete(first)
        clearTimeout(first.timer)
        notice(first)
        enter(first.request)
        first.go()
      }
    }

    function stand(request: FastifyRequest, reply: FastifyReply, go: () => void) {
      const giveUp = () => {
        line.delete(waiting)
        gaveUp.push(waiting)
        overloadedUntil = performance.now() + relief
        planNextTurn()
      }
      const timer = setTimeout(giveUp, isOverloaded() ? Math.min(patience, impatience) : patience)
      // The queued request resumes when another one ends and must not run in that one's async context.
      const waiting = { request, reply, go: AsyncResource.bind(go), timer, since: performance.now() }
      line.add(waiting)
    }

    function notice({ since }: Waiting) {
      const now = performance.now()
      if (now - since < tooLong) lastQuick = now
      else if (now - lastQuick > rush) overloadedUntil = now + relief
    }

    function turnAway(request: FastifyRequest, reply: FastifyReply) {
      overloadedUntil = performance.now() + relief
      refuse(request, reply, full)
    }

    let lateSince = Number.NEGATIVE_INFINITY
    let lastLate = Number.NEGATIVE_INFINITY

    /** Late once may be a pause of the whole machine, which is over by the time we know. Load makes us late again. */
    function staysLate() {
      const now = performance.now()
      if (now - lastLate > forgiving) lateSince = now
      lastLate = now
      return now - lateSince > 1.5 * latest
    }

    let isListening = false
    app.addHook('onListen', async () => {
      isListening = true
    })
    await app.register(underPressure, {
      maxEventLoopDelay: latest,
      pressureHandler(request, reply) {
        if (isListening && staysLate()) refuse(request, reply, late) // work at the start is no load
      },
    })
    app.addHook('onRequest', arrive)
    app.addHook('preParsing', (request, _reply, _payload, done) => {
      if (hasBody(request)) leave(request)
      done()
    })
    app.addHook('preValidation', arrive)
    app.addHook('onSend', (request, _reply, _payload, done) => {
      leave(request)
      done()
    })
  },
  { name: 'overload', dependencies: ['errors'] },
)

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0

/** Kept as cheap as possible, because an overloaded process spends most of its time here. */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: Unavailable) {
  request.fault = reason
  tell('refusal', { reason: reason === late ? 'late' : 'full' })
  request.headers['x-no-compression'] = 'true'
  reply.header('retry-after', soon).sendError(503)
}
