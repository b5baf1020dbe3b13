import type { FastifyRequest } from 'fastify'
import { authOf } from '../../plugins/security/session.ts'

/** Who asks for something, and by which session, without which nothing is done. */
export type Session = { userId: number; token: string }

export function sessionOf(request: FastifyRequest): Session {
  const { user, session } = authOf(request)
  return { userId: user.id, token: session.token }
}
