import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** How many queries it has made, and how long they took. */
    queries: { count: number; ms: number }
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/**
 * The request that is being answered, or undefined in jobs and commands. Functions of the domain get a transaction and
 * no request: only what must never be forgotten, such as the client in a record, is read from here.
 */
export const currentRequest = () => current.getStore()

/** Runs `work` and everything that it starts for this request. */
export const answering = (request: FastifyRequest, work: () => void) => current.run(request, work)
