import type { FastifyReply, FastifyRequest } from 'fastify'

/** What the browser keeps that asked for a code. The code works nowhere else. */
type PendingCode = {
  id: string
  /** Of the codes that this one replaced. */
  replaced?: string[]
  email: string
  invitation?: string
  returnTo?: string | undefined
  expires: number
}

const cookie = 'mail_code'
const anHourMs = 3_600_000 // so that somebody who comes late is told so

export function setPendingCode(reply: FastifyReply, asked: Omit<PendingCode, 'expires'>) {
  const { sealing, now } = reply.server
  const pending: PendingCode = { ...asked, expires: now().getTime() + anHourMs }
  return reply.setHostCookie(cookie, sealing.seal(JSON.stringify(pending), cookie), { maxAge: anHourMs / 1000 })
}

export function pendingCodeOf(request: FastifyRequest): PendingCode | undefined {
  const opened = request.server.sealing.open(request.cookie(cookie) ?? '', cookie)
  const pending: PendingCode | undefined = opened === undefined ? undefined : JSON.parse(opened)
  return pending && pending.expires > request.server.now().getTime() ? pending : undefined
}

export const clearPendingCode = (reply: FastifyReply) => reply.clearHostCookie(cookie)
