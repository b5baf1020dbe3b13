import type { FastifyReply, FastifyRequest } from 'fastify'

export const tenMinutesMs = 600_000

/** Encrypted, since addresses and ways back are nobody else's business, and bound to the cookie's name. */
export const setSealed = (reply: FastifyReply, cookie: string, value: unknown) =>
  reply.setHostCookie(cookie, reply.server.sealing.seal(JSON.stringify(value), cookie), { maxAge: tenMinutesMs / 1000 })

/** Undefined if there is none, or if it is not ours. What it contains has an expiry of its own. */
export function readSealed(request: FastifyRequest, cookie: string): unknown {
  const opened = request.server.sealing.open(request.cookie(cookie) ?? '', cookie)
  return opened === undefined ? undefined : JSON.parse(opened)
}
