import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { ProviderConfig } from '../../features/providers/configuration.ts'

const id = 'development'
const mount = '/dev/provider'

/**
 * The provider `Development` on the server's own address: how it is configured, and its pages. It is loaded with its
 * first request, since most starts never see one.
 */
export function developmentProvider(origin: string): { config: ProviderConfig; pages: FastifyPluginAsync } {
  const client = { id: 'accounts', secret: randomBytes(32).toString('hex') }
  const issuer = origin + mount
  let loading: ReturnType<typeof load> | undefined
  const load = async () => {
    const { createProvider } = await import('./index.ts')
    return createProvider(issuer, { ...client, redirectUri: `${origin}/sign_in/with/${id}/callback` })
  }

  return {
    config: { id, name: 'Development', url: issuer, clientId: client.id, clientSecret: client.secret },
    async pages(app) {
      // It reads bodies and writes answers itself.
      app.addHook('onRequest', async (request, reply) => {
        loading ??= load()
        const answer = await loading
        reply.hijack()
        await answer(request.raw, reply.raw)
      })
      app.all(`${mount}/*`, () => undefined)
    },
  }
}
