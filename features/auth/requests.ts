import type { FastifyRequest } from 'fastify'

/** Who asks for something, and by which session, without which nothing is done. */
export type Session = { userId: number; token: string }

export function sessionOf(request: FastifyRequest): Session {
  const { user, session } = request.signedIn()
  return { userId: user.id, token: session.token }
}
