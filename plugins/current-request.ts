import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    queries: { count: number; ms: number }
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/** Undefined in jobs and commands. For what functions without a request must not forget, such as the client. */
export const currentRequest = () => current.getStore()

export const answering = (request: FastifyRequest, work: () => void) => current.run(request, work)
