import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Errors, Flash } from './pages.ts'
import { isPrefetch } from './visit.ts'

export interface FlashState extends Pick<Flash, 'notice' | 'alert'> {
  errors?: Errors
  clearHistory?: true
  preserveFragment?: true
}

/** Where that state is kept. `clear` is called once a page that delivers what `read` returned has been rendered. */
export interface FlashStore {
  read(request: FastifyRequest): FlashState | undefined
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/**
 * Undefined for a prefetch, a HEAD or a background reload: the person might never see it there, and the next visit
 * would miss it.
 */
export const flashFor = (request: FastifyRequest, store: FlashStore) =>
  request.method === 'HEAD' || isPrefetch(request) || isBackground(request) ? undefined : store.read(request)

// A partial reload that follows a redirect comes without `no-cache` and counts as a visit.
const isBackground = ({ headers }: FastifyRequest) =>
  headers['x-inertia-partial-component'] !== undefined && String(headers['cache-control']).includes('no-cache')
