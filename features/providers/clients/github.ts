import type { ProviderConfig } from '../../../server/providers.ts'
import type { Arrived, Client, Secrets, Surroundings } from './client.ts'
import { failureIn, OutOfReach, Untrusted } from './failures.ts'
import { boundedBy } from './fetch.ts'
import { emailIn, nameIn, subjectIn } from './people.ts'

// Slow to load, so not before somebody signs in with a provider.
const library = () => import('openid-client')

const scope = 'read:user user:email'

/** GitHub, which speaks OAuth 2 without OpenID: who it is, its API tells. */
export function gitHubClient(provider: ProviderConfig, { fetch, redirectUri }: Surroundings): Client {
  const { id, name, url, clientId, clientSecret } = provider
  const bounded = boundedBy(fetch)
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`
  const issuer = `${url}/login/oauth`

  return {
    id,
    name,

    async begin({ state, verifier }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async finish(parameters, secrets) {
      try {
        return await exchange(parameters, secrets)
      } catch (error) {
        throw failureIn(error)
      }
    },

    async check() {
      const nobodys = new URLSearchParams({ code: 'check', state: 'check' })
      await tokenFor(nobodys, { state: 'check', verifier: 'check'.repeat(10) }).catch((error) => {
        const failure = failureIn(error)
        if (!(failure instanceof Untrusted) || failure.reason !== 'bad_verification_code') throw failure
      })
    },
  }

  async function configure() {
    const { allowInsecureRequests, ClientSecretPost, Configuration, customFetch } = await library()
    const endpoints = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/access_token`,
    }
    const configuration = new Configuration(endpoints, clientId, {}, ClientSecretPost(clientSecret))
    Object.assign(configuration, { [customFetch]: readingErrors }) // its type lacks the setter
    if (url.startsWith('http:')) allowInsecureRequests(configuration)
    return configuration
  }

  /** GitHub says with 200 what went wrong, too. */
  async function readingErrors(...[at, options]: Parameters<typeof bounded>) {
    const response = await bounded(at, options)
    const said = (await response
      .clone()
      .json()
      .catch(() => undefined)) as { error?: unknown } | undefined
    return said?.error ? new Response(JSON.stringify(said), { status: 400, headers: response.headers }) : response
  }

  async function tokenFor(parameters: URLSearchParams, { state, verifier }: Omit<Secrets, 'nonce'>) {
    const { authorizationCodeGrant } = await library()
    const answer = new URL(`?${parameters}`, redirectUri)
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    return authorizationCodeGrant(await configure(), answer, checks)
  }

  async function exchange(parameters: URLSearchParams, secrets: Secrets): Promise<Arrived> {
    const { access_token } = await tokenFor(parameters, secrets)
    const [user, emails] = await Promise.all([ask(access_token, '/user'), ask(access_token, '/user/emails')])
    const known: { id?: unknown; name?: unknown; login?: unknown } = user ?? {}
    if (!Number.isSafeInteger(known.id) || !Array.isArray(emails)) throw new Untrusted('claim_sub')
    const primary = emails.find((entry) => entry?.primary === true)
    const email = emailIn(primary?.email)
    return {
      issuer: url,
      subject: subjectIn(String(known.id)),
      email,
      name: nameIn(known.name) ?? nameIn(known.login),
      proved: email !== null && primary.verified === true,
    }
  }

  async function ask(accessToken: string, path: string) {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${accessToken}`,
      'user-agent': 'accounts',
    }
    const response = await bounded(api + path, { headers })
    if (response.status === 429) throw new OutOfReach('it answers 429')
    if (response.status !== 200) throw new Untrusted('response_is_not_conform')
    return response.json().catch(() => {
      throw new Untrusted('response_is_not_json')
    })
  }
}
