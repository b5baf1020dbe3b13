import { AsyncLocalStorage } from 'node:async_hooks'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    queries: { count: number; ms: number }
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/** Undefined in jobs and commands. For what functions without a request must not forget, such as the client. */
export const currentRequest = () => current.getStore()

export const runWithRequest = (request: FastifyRequest, work: () => void) => current.run(request, work)

/**
 * Aborted when the client has its answer or left without. Fastify's `request.signal` is already aborted once the body
 * is read, since Node closes a request then.
 */
export function clientSignal({ raw: response }: FastifyReply) {
  const controller = new AbortController()
  if (response.closed) controller.abort()
  else response.once('close', () => controller.abort())
  return controller.signal
}

export const hasLeft = ({ raw }: FastifyRequest) => raw.socket.destroyed

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
