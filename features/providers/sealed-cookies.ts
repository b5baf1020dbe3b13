import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type App = Pick<FastifyInstance, 'sealing'>

const maxAge = 600 // seconds

/** Encrypted, since addresses and ways back are nobody else's business, and bound to the cookie's name. */
export const setSealed = ({ sealing }: App, reply: FastifyReply, cookie: string, value: unknown) =>
  reply.setHostCookie(cookie, sealing.seal(JSON.stringify(value), cookie), { maxAge })

/** Undefined if there is none, or if it is not ours. What it contains has an expiry of its own. */
export function readSealed({ sealing }: App, request: FastifyRequest, cookie: string): unknown {
  const opened = sealing.open(request.cookie(cookie) ?? '', cookie)
  return opened === undefined ? undefined : JSON.parse(opened)
}
