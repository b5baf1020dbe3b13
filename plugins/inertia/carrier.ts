import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Errors, Flash } from './pages.ts'
import { isPrefetch } from './visit.ts'

/** What waits between a redirect and the next page. */
export interface Carried extends Pick<Flash, 'notice' | 'alert'> {
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
}

/** Where it waits. `clear` is called once a page was rendered that delivers what `read` gave. */
export interface Carrier {
  read(request: FastifyRequest): Carried | undefined
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/**
 * What is due on the page of this request. A prefetch, a HEAD or a reload in the background gets nothing: nobody might
 * see it there, and the visit that it raced with would find it gone.
 */
export function carriedTo(request: FastifyRequest, carrier: Carrier): Carried | undefined {
  return request.method === 'HEAD' || isPrefetch(request) || isBackground(request) ? undefined : carrier.read(request)
}

// A partial reload after a redirect comes without `no-cache`; that one is a visit.
const isBackground = ({ headers }: FastifyRequest) =>
  headers['x-inertia-partial-component'] !== undefined && headers['cache-control'] === 'no-cache'
