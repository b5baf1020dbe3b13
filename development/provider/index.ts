import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { interactionPolicy, Provider } from 'oidc-provider'
import { choicePage } from './page.ts'
import { people } from './people.ts'

type Client = { id: string; secret: string; redirectUri: string }
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

const scope = 'openid email profile'

/**
 * A real OpenID provider at this address, for development and tests: its page asks who to be, and nothing is kept. What
 * it returns handles the requests below the path of the address.
 */
export function createProvider(issuer: string, client: Client): Handler {
  const mount = new URL(issuer).pathname.replace(/\/$/, '')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${mount}/choose/${uid}`, policy: askEachTime() },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    async findAccount(_context, id) {
      const person = people.find(({ sub }) => sub === id)
      return person && { accountId: id, claims: async () => ({ ...person }) }
    },
    /** Nobody is asked what may be told. */
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()

  return async (request, response) => {
    if (!request.url?.startsWith(`${mount}/`)) return response.writeHead(204).end() // such as its icon
    const path = request.url.slice(mount.length)
    if (!path.startsWith('/choose/')) {
      Object.assign(request, { originalUrl: request.url, url: path }) // as Express mounts it
      return answer(request, response)
    }
    if (request.method !== 'POST')
      return response.setHeader('content-type', 'text/html').end(choicePage(request.url ?? ''))
    const accountId = new URLSearchParams(await text(request)).get('sub')
    const result = accountId ? { login: { accountId, remember: false } } : { error: 'access_denied' }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
}

/** Otherwise a browser would stay the first person that it was. */
function askEachTime() {
  const policy = interactionPolicy.base()
  const hasChosen = new interactionPolicy.Check('each_time', 'people choose each time', 'login_required', (context) =>
    context.oidc.result?.login ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT,
  )
  policy.get('login')?.checks.add(hasChosen)
  return policy
}
