import type { JWTPayload } from 'jose'
import type { ProviderConfig } from '../../../server/providers.ts'
import type { Arrived, Client, Secrets, Surroundings } from './client.ts'
import { failureIn, Untrusted } from './failures.ts'
import { boundedBy, type Fetch } from './fetch.ts'
import { kept } from './kept.ts'
import { emailIn, nameIn, subjectIn } from './people.ts'
import { toleranceSeconds, verifierOf } from './tokens.ts'

// Slow to load, so not before somebody signs in with a provider.
const library = () => import('openid-client')

const anHour = 3_600_000 // milliseconds
const scope = 'openid email profile'

/** What providers differ in. */
export type Dialect = {
  /** The issuer that a token with these claims must have, given that of the discovery. Throws Untrusted. */
  issuerOf?(discovered: string, claims: JWTPayload): string
  /** Whether the provider vouches for the address of these claims. */
  vouches(claims: JWTPayload): boolean
  /** Claims that are asked of the userinfo endpoint if the token lacks them. */
  wanted: string[]
  /** How the client proves its secret, if the provider does not say. */
  secretIn: 'header' | 'body'
}

/** A provider that speaks OpenID Connect. Discovery and keys are fetched at first use and kept for an hour. */
export function openIdClient(provider: ProviderConfig, dialect: Dialect, { fetch, redirectUri }: Surroundings): Client {
  const bounded = boundedBy(fetch)
  const discovered = kept(anHour, () => discover(provider, dialect, bounded))

  return {
    id: provider.id,
    name: provider.name,

    async begin({ state, nonce, verifier }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      const { configuration } = await failing(discovered)
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    finish: (parameters, secrets) => failing(() => exchange(parameters, secrets)),

    check: () => failing(probe),
  }

  async function exchange(parameters: URLSearchParams, { state, nonce, verifier }: Secrets): Promise<Arrived> {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const { configuration, verify } = await discovered()
    // The library tells the provider this address without its parameters, so it must not be that of the request.
    const tokens = await authorizationCodeGrant(configuration, new URL(`?${parameters}`, redirectUri), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const proved = await verify(tokens.id_token ?? '')
    const subject = subjectIn(proved.sub)
    const lacks = dialect.wanted.some((name) => proved[name] === undefined)
    const told =
      lacks && configuration.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(configuration, tokens.access_token, subject)
        : {}
    const claims: JWTPayload = { ...told, ...proved, ...aboutEmail(proved, told) }
    const email = emailIn(claims.email)
    return {
      issuer: proved.iss ?? '', // which was compared
      subject,
      email,
      name: nameIn(claims.name),
      proved: email !== null && dialect.vouches(claims),
    }
  }

  /** A code that nobody gave: the provider judges id and secret first. */
  async function probe() {
    const { authorizationCodeGrant } = await library()
    const { configuration } = await discovered()
    const checks = { expectedState: 'check', pkceCodeVerifier: 'check'.repeat(10) }
    const { issuer } = configuration.serverMetadata()
    const answer = new URLSearchParams({ code: 'check', state: 'check', iss: issuer })
    await authorizationCodeGrant(configuration, new URL(`?${answer}`, redirectUri), checks).catch((error) => {
      const failure = failureIn(error)
      if (!(failure instanceof Untrusted) || failure.reason !== 'invalid_grant') throw failure
    })
  }
}

/** The address and what is said of it, from the same place: another address's `email_verified` means nothing. */
function aboutEmail(proved: JWTPayload, told: Record<string, unknown>) {
  const isSame = proved.email === undefined || (proved.email_verified === undefined && told.email === proved.email)
  const { email, email_verified, xms_edov } = isSame ? told : proved
  return isSame && told.email === undefined ? {} : { email, email_verified, xms_edov: xms_edov ?? proved.xms_edov }
}

async function discover({ url, clientId, clientSecret }: ProviderConfig, dialect: Dialect, fetch: Fetch) {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, clockTolerance, customFetch, discovery } =
    await library()
  const options = { [customFetch]: fetch, execute: url.startsWith('http:') ? [allowInsecureRequests] : [] }
  const basic = ClientSecretBasic(clientSecret)
  const post = ClientSecretPost(clientSecret)
  const configuration = await discovery(
    new URL(url),
    clientId,
    { [clockTolerance]: toleranceSeconds },
    (as, client, body, headers) => {
      const said = as.token_endpoint_auth_methods_supported
      const inBody = dialect.secretIn === 'body' || (said && !said.includes('client_secret_basic'))
      return (inBody ? post : basic)(as, client, body, headers)
    },
    options,
  )
  const { issuer, jwks_uri: keysAt } = configuration.serverMetadata()
  if (!keysAt) throw new Untrusted('attribute_jwks_uri')
  const issuerOf = (claims: JWTPayload) => dialect.issuerOf?.(issuer, claims) ?? issuer
  return { configuration, verify: await verifierOf({ clientId, keysAt: new URL(keysAt), issuerOf, fetch }) }
}

/** Throws OutOfReach or Untrusted, whatever the libraries throw. */
async function failing<Result>(work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    throw failureIn(error)
  }
}
