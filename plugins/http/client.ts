import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Who is at the other end, as sessions and rate limits record it. */
export type Client = { ipAddress: string; userAgent: string }

export const clientOf = (request: FastifyRequest): Client => ({
  // The entry that our proxy appended (rightmost X-Forwarded-For); what stands left of it anybody can write.
  ipAddress: isIP(request.ip) ? request.ip : (request.raw.socket.remoteAddress ?? ''),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 512),
})
