import type { FastifyRequest } from 'fastify'
import { clientOf } from '../../plugins/http/client.ts'
import { authOf } from '../../plugins/security/session.ts'
import type { Visitor } from './sessions.ts'

/** The user and the session that asks. Nothing is done unless the session still exists. */
export type Session = { userId: number; token: string }

export function sessionOf(request: FastifyRequest): Session {
  const { user, session } = authOf(request)
  return { userId: user.id, token: session.token }
}

export const visitorOf = (request: FastifyRequest): Visitor => ({ ...clientOf(request), device: request.device() })
