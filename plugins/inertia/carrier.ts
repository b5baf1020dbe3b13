import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Errors, Flash } from './pages.ts'
import { isPrefetch } from './visit.ts'

/** State carried from a redirect to the next page. */
export interface Carried extends Pick<Flash, 'notice' | 'alert'> {
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
}

/** Where that state is kept. `clear` is called once a page that delivers what `read` returned has been rendered. */
export interface Carrier {
  read(request: FastifyRequest): Carried | undefined
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/**
 * What this page should deliver. A prefetch, a HEAD or a background reload gets nothing: the user might never see it
 * there, and it would be missing from the visit it raced with.
 */
export function carriedTo(request: FastifyRequest, carrier: Carrier): Carried | undefined {
  return request.method === 'HEAD' || isPrefetch(request) || isBackground(request) ? undefined : carrier.read(request)
}

// A partial reload that follows a redirect comes without `no-cache` and counts as a visit.
const isBackground = ({ headers }: FastifyRequest) =>
  headers['x-inertia-partial-component'] !== undefined && headers['cache-control'] === 'no-cache'
