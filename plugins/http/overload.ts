import { AsyncResource } from 'node:async_hooks'
import underPressure from '@fastify/under-pressure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { tell } from '../happenings.ts'
import { Unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An answer that goes on and on: how many there are is somebody else's matter. */
    endless?: true
  }
  interface FastifyRequest {
    isInHand: boolean
  }
}

type Options = {
  /** Requests that are worked on at once. More would make nothing faster, and each turn of the event loop longer. */
  most?: number
  /** Requests that wait for one of these to be answered. */
  mostWaiting?: number
  /** For how long they do, in milliseconds. */
  patience?: number
}

type Waiting = { request: FastifyRequest; go: () => void; timer: NodeJS.Timeout }

const latest = 1_000 // milliseconds that the event loop may be late
const soon = 2 // seconds, in which a process that refuses has caught up
const late = new Unavailable('the event loop is late')
const full = new Unavailable('too many requests are in hand')

/**
 * Refuses what a process cannot do in time, since a queue without an end helps nobody: whoever stands in it gives up and comes back. In hand is what waits for an
 * answer of ours; who is still sending is not, so that slow bodies take nobody's place.
 */
export default fp<Options>(
  async (app, { most = 200, mostWaiting = 1_000, patience = 750 }) => {
    let inHand = 0
    const line = new Set<Waiting>() // in the order in which they came
    app.decorateRequest('isInHand', false)

    function arrive(request: FastifyRequest, reply: FastifyReply, go: () => void) {
      if (request.isInHand || request.routeOptions.config.endless) return go()
      if (inHand >= most) return line.size < mostWaiting ? stand(request, reply, go) : refuse(request, reply, full)
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
      for (const first of line) {
        if (inHand >= most) return
        line.delete(first)
        clearTimeout(first.timer)
        enter(first.request)
        first.go()
      }
    }

    function stand(request: FastifyRequest, reply: FastifyReply, go: () => void) {
      const giveUp = () => {
        line.delete(waiting)
        refuse(request, reply, full)
      }
      // It goes on when another request ends, and must not take that one's context for its own.
      const waiting = { request, go: AsyncResource.bind(go), timer: setTimeout(giveUp, patience) }
      line.add(waiting)
    }

    let isListening = false
    app.addHook('onListen', async () => {
      isListening = true
    })
    await app.register(underPressure, {
      maxEventLoopDelay: latest,
      // What a start computes in one go is no load, and a delay without end means that nothing was measured.
      pressureHandler(request, reply, _type, delay = Number.NaN) {
        if (isListening && Number.isFinite(delay)) refuse(request, reply, late)
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

/** Costs little more than the response itself: where many are refused, it is what a process is busy with. */
function refuse(request: FastifyRequest, reply: FastifyReply, reason: Unavailable) {
  request.fault = reason
  tell('refusal', { reason: reason === late ? 'late' : 'full' })
  request.headers['x-no-compression'] = 'true'
  reply.header('retry-after', soon).sendError(503)
}
