import type { FastifyReply, FastifyRequest } from 'fastify'
import { emit } from '../events.ts'
import { Unavailable } from './errors.ts'

const retryAfterSeconds = 2 // enough for an overloaded process to catch up

const faults = {
  late: new Unavailable('the event loop is late'),
  full: new Unavailable('too many requests are in flight'),
}

/** Kept as cheap as possible, because an overloaded process spends most of its time here. */
export function refuse(request: FastifyRequest, reply: FastifyReply, reason: keyof typeof faults) {
  request.fault = faults[reason]
  emit('refusal', { reason })
  request.headers['x-no-compression'] = 'true'
  reply.header('retry-after', retryAfterSeconds).sendError(503)
}
