import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The client, as sessions and rate limits record it. */
export type Client = { ipAddress: string; userAgent: string }

export const clientOf = (request: FastifyRequest): Client => ({
  ipAddress: ipAddressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 512),
})

/** The entry that our own proxy appended (rightmost in X-Forwarded-For). Clients can forge everything to its left. */
export function ipAddressOf({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>) {
  return isIP(ip) ? ip : (raw.socket.remoteAddress ?? '')
}
