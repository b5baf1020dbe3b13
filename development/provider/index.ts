import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyPluginAsync } from 'fastify'
import { html } from 'ghtml'
import type { Config } from '../../server/config.ts'
import { plainPage } from '../page.ts'

/** Whether providers can stand here that need no registration. Several processes would each have their own keys. */
export const isAtHome = ({ environment, origin, processes }: Config) =>
  environment === 'development' && processes === 1 && /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin)

/** Its parameters, such as `:slug`, stand for any word in `redirectUri`. */
type Client = { id: string; secret: string; redirectUri: string }
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export type Person = { sub: string; name: string; email?: string; email_verified?: boolean }
const strangers: Person[] = [
  { sub: 'ada', name: 'Ada Abel', email: 'ada@example.com', email_verified: true },
  { sub: 'bo', name: 'Bo Berg', email: 'bo@example.com', email_verified: false },
  { sub: 'cleo', name: 'Cleo Chen' },
]

/** The pages of a provider at this address, which is loaded with its first request: most starts never see one. */
export const providerPages =
  (issuer: string, client: Client, people?: Person[]): FastifyPluginAsync =>
  async (app) => {
    let loading: Promise<Handler> | undefined
    // It reads bodies and writes answers itself.
    app.addHook('onRequest', async (request, reply) => {
      loading ??= createProvider(issuer, client, people)
      const answer = await loading
      reply.hijack()
      await answer(request.raw, reply.raw)
    })
    app.all(`${new URL(issuer).pathname}/*`, () => undefined)
  }

/** A real OpenID provider at this address, whose page asks who to be. Resolves with the handler of its requests. */
export async function createProvider(issuer: string, client: Client, people = strangers): Promise<Handler> {
  // @ts-expect-error Its types would bring 17 packages.
  const { Provider } = await import('oidc-provider')
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
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${mount}/choose/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    async findAccount(_context: unknown, id: string) {
      const person = people.find(({ sub }) => sub === id)
      return person && { accountId: id, claims: async () => ({ ...person }) }
    },
    // Without a page that asks for consent.
    async loadExistingGrant({ oidc }: { oidc: { session?: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const redirect = new URLPattern(client.redirectUri)
  provider.Client.prototype.redirectUriAllowed = (uri: string) => redirect.test(uri)
  const answer = provider.callback()

  return async (request, response) => {
    const path = request.url?.slice(mount.length) ?? ''
    if (!path.startsWith('/choose/')) {
      if (path.startsWith('/auth?')) delete request.headers.cookie // else it stays the person who was chosen first
      Object.assign(request, { originalUrl: request.url, url: path }) // as Express mounts it
      return answer(request, response)
    }
    if (request.method !== 'POST')
      return response.setHeader('content-type', 'text/html').end(choicePage(mount + path, people))
    const accountId = new URLSearchParams(await text(request)).get('sub')
    const result = accountId ? { login: { accountId, remember: false } } : { error: 'access_denied' }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
}

const choicePage = (action: string, people: Person[]) =>
  plainPage({
    title: 'Who do you want to be?',
    body: html`<p>This provider exists in development only. These people are invented.</p>
      <form method="post" action="${action}">
        !${people.map(
          (person) =>
            html`<button name="sub" value="${person.sub}">${person.name}<small>${describe(person)}</small></button>`,
        )}
        <button name="sub" value="">Cancel</button>
      </form>`,
  })

const describe = ({ email, email_verified }: Person) =>
  email ? `${email}, ${email_verified ? 'verified' : 'not verified'}` : 'no email'
