import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../server/config.ts'
import { isAtHome, providerPages } from '../provider/index.ts'

/** The provider `Development` on the server's own address: how it is configured, and its pages. */
export function startStandIn(loaded: Config) {
  if (!isAtHome(loaded)) return undefined
  const secret = randomBytes(32).toString('hex')
  const client = { id: 'accounts', secret, redirectUri: `${loaded.origin}/sign_in/with/development/callback` }
  const url = `${loaded.origin}/dev/provider`
  const added = { id: 'development', name: 'Development', url, clientId: client.id, clientSecret: secret }
  return {
    config: { providers: [...loaded.providers, added] },
    register: (app: FastifyInstance) => app.register(providerPages(url, client)),
  }
}
