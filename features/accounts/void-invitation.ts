import type { FastifyReply, FastifyRequest } from 'fastify'
import { prefersJson } from '../../plugins/http/errors.ts'

/**
 * For links that a newer mail, a withdrawal or a removal made void, and those that never were: says what to do. Names
 * nothing, so that nobody learns which of them it is.
 */
export const sendVoidInvitation = (request: FastifyRequest, reply: FastifyReply) =>
  prefersJson(request.headers.accept) ? reply.sendError(404) : reply.code(404).page('invitations/void', {})
