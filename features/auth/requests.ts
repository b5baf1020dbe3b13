import type { FastifyRequest } from 'fastify'
import { authOf } from '../../plugins/security/session.ts'

/** The user and the session that asks. Nothing is done unless the session still exists. */
export type Session = { userId: number; token: string }

export function sessionOf(request: FastifyRequest): Session {
  const { user, session } = authOf(request)
  return { userId: user.id, token: session.token }
}
