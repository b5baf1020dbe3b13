import type { FastifyRequest } from 'fastify'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Client } from './clients/client.ts'

export type Clients = Map<string, Client>

/** The provider that a URL names. */
export const clientIn = (clients: Clients) => {
  const of = (request: FastifyRequest) => {
    const client = clients.get((request.params as { provider: string }).provider)
    if (!client) throw new NotFound()
    return client
  }
  /** Guard: 404 for providers that are not configured. */
  const require = async (request: FastifyRequest) => void of(request)
  return { of, require }
}
