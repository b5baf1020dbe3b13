import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProvider } from '../../development/provider/index.ts'
import type { Owner } from './owner.ts'

const client = { id: 'accounts', secret: 'a secret between us and the provider' }

/** The provider of development on an address of its own. It answers once it knows where to send people back. */
export async function startProvider(owner: Owner) {
  let answer: ReturnType<typeof createProvider> | undefined
  const server = createServer((request, response) => {
    if (!answer) response.writeHead(503).end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  owner.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/provider`
  return {
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: 'Acme ID',
    },
    serve(origin: string) {
      answer = createProvider(issuer, { ...client, redirectUri: `${origin}/sign_in/with/oidc/callback` })
    },
  }
}
