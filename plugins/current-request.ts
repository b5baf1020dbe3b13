import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    queries: { count: number; ms: number }
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/**
 * The request that is being answered, or undefined in jobs and commands. For what functions with a transaction and no
 * request must never forget, such as the client in a record.
 */
export const currentRequest = () => current.getStore()

export const answering = (request: FastifyRequest, work: () => void) => current.run(request, work)
