import type { Configuration, TokenEndpointResponse } from 'openid-client'
import { isStorable } from '../database/index.ts'
import { isEmailAddress, normalizeEmail } from '../mail/index.ts'
import { failureIn, InvalidResponse } from './failures.ts'

/** `url` is where the provider is, and the issuer of those that speak OpenID. */
export type ProviderConfig = {
  id: string
  name: string
  url: string
  clientId: string
  clientSecret: string
  tenant?: string
}

export type ProviderProfile = {
  provider: Pick<ProviderConfig, 'id' | 'name'>
  issuer: string
  subject: string
  email: string | null
  name: string | null
  /** Whether the provider vouches that the address is theirs. */
  proved: boolean
  /** Google's domain of the person's organization, which hosts its mail. */
  hostedDomain?: string
}

/** Ties a response to the browser that asked. */
export type Secrets = { state: string; nonce: string; verifier: string }

export type ProviderClient = ReturnType<typeof createClient>

export type ClientOptions = { fetch: typeof globalThis.fetch; redirectUri: string }

/** What OpenID and GitHub's OAuth differ in. */
type Protocol = {
  scope: string
  isOpenId: boolean
  /** The error for an unknown code, reported once our id and secret are accepted. */
  unknownCode: string
  configure(): Promise<Configuration>
  /** Who the tokens belong to. The claims are not checked. */
  personOf(tokens: TokenEndpointResponse): Promise<Person>
}
type Person = {
  issuer: string
  subject: unknown
  email: unknown
  name: unknown
  isEmailVerified: boolean
  hostedDomain?: unknown
}

// Slow to load, so not before someone signs in with a provider.
export const library = () => import('openid-client')

/** All of its functions throw ProviderUnavailable or InvalidResponse. */
export function createClient({ id, name }: ProviderConfig, redirectUri: string, protocol: Protocol) {
  const { scope, isOpenId, unknownCode, configure, personOf } = protocol

  async function tokensFor(parameters: URLSearchParams, { state, nonce, verifier }: Secrets) {
    const { authorizationCodeGrant } = await library()
    // The library sends this address to the provider, so it must not be that of the request.
    return authorizationCodeGrant(await configure(), new URL(`?${parameters}`, redirectUri), {
      expectedState: state,
      pkceCodeVerifier: verifier,
      ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
    })
  }

  return {
    id,
    name,

    begin: ({ state, nonce, verifier }: Secrets, loginHint?: string) =>
      failing(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
        return buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope,
          state,
          ...(isOpenId && { nonce }),
          ...(loginHint && { login_hint: loginHint }),
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
      }),

    finish: (parameters: URLSearchParams, secrets: Secrets) =>
      failing(async (): Promise<ProviderProfile> => {
        const person = await personOf(await tokensFor(parameters, secrets))
        const email = emailIn(person.email)
        return {
          provider: { id, name },
          issuer: person.issuer,
          subject: subjectIn(person.subject),
          email,
          name: nameIn(person.name),
          proved: email !== null && person.isEmailVerified,
          ...(typeof person.hostedDomain === 'string' && { hostedDomain: person.hostedDomain }),
        }
      }),

    /** Whether the provider accepts our id and secret, which it checks before the code. */
    async check() {
      const secrets = { state: 'check', nonce: 'check', verifier: 'check'.repeat(10) }
      const probe = async () => {
        const { issuer: iss } = (await configure()).serverMetadata()
        await tokensFor(new URLSearchParams({ code: 'check', state: 'check', iss }), secrets)
      }
      await failing(probe).catch((error) => {
        if (!(error instanceof InvalidResponse) || error.reason !== unknownCode) throw error
      })
    },
  }
}

const failing = <Result>(work: () => Promise<Result>) =>
  work().catch((error) => {
    throw failureIn(error)
  })

const maxChars = 255

function subjectIn(claim: unknown) {
  const isValid = typeof claim === 'string' && claim.trim() !== '' && claim.length <= maxChars && isStorable(claim)
  if (!isValid) throw new InvalidResponse('claim_sub')
  return claim
}

/** Null if it is invalid. Lower-casing must not change which one it is (the Kelvin sign). */
function emailIn(claim: unknown) {
  const email = typeof claim === 'string' && isAscii.test(claim) ? normalizeEmail(claim) : ''
  return isEmailAddress(email) ? email : null
}
const isAscii = /^[\0-\x7f]*$/

function nameIn(claim: unknown) {
  const name = typeof claim === 'string' ? claim.trim() : ''
  return name && isStorable(name) ? [...name.slice(0, 2 * maxChars)].slice(0, maxChars).join('') : null
}
