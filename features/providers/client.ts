import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import { answerBounds, boundedBy } from '../../plugins/openid/bounds.ts'
import {
  type ClientOptions,
  createClient,
  library,
  type ProviderClient,
  type ProviderConfig,
} from '../../plugins/openid/client.ts'
import { accepted, InvalidResponse, ProviderUnavailable } from '../../plugins/openid/failures.ts'
import { openIdClient } from '../../plugins/openid/openid.ts'
import type { OptionConfig } from '../../plugins/settings.ts'
import { kinds, standardRules } from './kinds.ts'
import { providersPaths } from './paths.ts'

export function providerClient(provider: ProviderConfig, options: ClientOptions): ProviderClient {
  if (provider.id === 'github') return gitHubClient(provider, options)
  const rules = Object.entries(kinds).find(([id]) => id === provider.id)?.[1].rules
  return openIdClient(provider, rules?.(provider) ?? standardRules, options)
}

/** GitHub, which uses OAuth 2 without OpenID: its API says who the person is. */
function gitHubClient(provider: ProviderConfig, { fetch, redirectUri }: ClientOptions) {
  const { url, clientId, clientSecret } = provider
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`
  const issuer = `${url}/login/oauth`

  return createClient(provider, redirectUri, {
    scope: 'read:user user:email',
    isOpenId: false,
    unknownCode: 'bad_verification_code',

    async configure() {
      const { allowInsecureRequests, ClientSecretPost, Configuration, customFetch } = await library()
      const endpoints = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/access_token`,
      }
      const configuration = new Configuration(endpoints, clientId, {}, ClientSecretPost(clientSecret))
      Object.assign(configuration, { [customFetch]: boundedBy(fetch, answerBounds) }) // its type lacks the setter
      if (url.startsWith('http:')) allowInsecureRequests(configuration)
      return configuration
    },

    async personOf({ access_token }) {
      const [user, emails] = await Promise.all([
        fetchJson(access_token, '/user'),
        fetchJson(access_token, '/user/emails'),
      ])
      const profile: { id?: unknown; name?: unknown; login?: unknown } = user ?? {}
      if (!Number.isSafeInteger(profile.id) || !Array.isArray(emails)) throw new InvalidResponse('claim_sub')
      const { email, verified } = emails.find((entry) => entry?.primary === true) ?? {}
      return {
        issuer: url,
        subject: String(profile.id),
        email,
        name: profile.name || profile.login,
        isEmailVerified: verified === true,
      }
    },
  })

  async function fetchJson(accessToken: string, path: string) {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${accessToken}`,
      'user-agent': 'accounts',
    }
    const response = await boundedBy(fetch, { maxBytes: answerBounds.maxBytes })(api + path, { headers })
    if (response.status === 429) throw new ProviderUnavailable('it answers 429')
    if (response.status !== 200) throw new InvalidResponse('response_is_not_conform')
    return response.json().catch(() => {
      throw new InvalidResponse('response_is_not_json')
    })
  }
}

/** Asks each provider with a code that nobody gave. It judges our id and secret first. */
export const providerChecks = ({ providers, origin }: OptionConfig & { origin: string }) =>
  providers.map((provider): [string, () => Promise<string>] => [
    provider.id,
    async () => {
      const redirectUri = origin + providersPaths.providerCallback(provider.id).url
      const client = providerClient(provider, { fetch: guardedFetch({ allowPrivate: true }), redirectUri })
      await accepted(() => client.check())
      return `accepts our client ID and secret; register ${redirectUri} as redirect URI`
    },
  ])
