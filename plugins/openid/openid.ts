import type { createRemoteJWKSet, JWTPayload } from 'jose'
import { algorithms, answerBounds, boundedBy, documentBounds, keySetBounds } from './bounds.ts'
import { type ClientOptions, createClient, library, type ProviderConfig } from './client.ts'
import { InvalidResponse } from './failures.ts'

const anHourMs = 3_600_000
const aMinuteMs = 60_000
const toleranceSeconds = 60 // how far apart the clocks of a provider and ours may be

/** What the claims of a provider prove, and how it is asked. */
export type ProviderRules = {
  requireTenant?(claims: JWTPayload): void
  isEmailVerified(claims: JWTPayload): boolean
  /** Claims requested from the userinfo endpoint if the token lacks them. */
  wanted: string[]
  /** How the client proves its secret, if the provider does not say. */
  secretIn: 'header' | 'body'
}

/** A provider that speaks OpenID Connect. Discovery and keys are fetched at first use and kept for an hour. */
export function openIdClient(provider: ProviderConfig, rules: ProviderRules, { fetch, redirectUri }: ClientOptions) {
  const { url, clientId, clientSecret } = provider
  const discovered = cacheForAnHour(discover)

  return createClient(provider, redirectUri, {
    scope: 'openid email profile',
    isOpenId: true,
    unknownCode: 'invalid_grant',
    configure: async () => (await discovered()).configuration,

    async personOf({ id_token, access_token }) {
      const { fetchUserInfo } = await library()
      const { configuration, keys, hasUserinfo } = await discovered()
      const signed = await verify(id_token ?? '', keys, clientId)
      rules.requireTenant?.(signed)
      const lacks = rules.wanted.some((name) => signed[name] === undefined)
      const userinfo: JWTPayload =
        lacks && hasUserinfo ? { ...(await fetchUserInfo(configuration, access_token, signed.sub ?? '')) } : {}
      const claims: JWTPayload = { ...userinfo, ...signed, ...aboutEmail(signed, userinfo) }
      return {
        issuer: signed.iss ?? '',
        subject: signed.sub,
        email: claims.email,
        name: claims.name,
        isEmailVerified: rules.isEmailVerified(claims),
        hostedDomain: claims.hd,
      }
    },
  })

  async function discover() {
    const [openId, { createRemoteJWKSet, customFetch }] = await Promise.all([library(), import('jose')])
    const basic = openId.ClientSecretBasic(clientSecret)
    const post = openId.ClientSecretPost(clientSecret)
    const configuration = await openId.discovery(
      new URL(url),
      clientId,
      { [openId.clockTolerance]: toleranceSeconds },
      (as, client, body, headers) => {
        const supported = as.token_endpoint_auth_methods_supported
        const inBody = rules.secretIn === 'body' || (supported && !supported.includes('client_secret_basic'))
        return (inBody ? post : basic)(as, client, body, headers)
      },
      {
        [openId.customFetch]: boundedBy(fetch, documentBounds),
        execute: url.startsWith('http:') ? [openId.allowInsecureRequests] : [],
      },
    )
    Object.assign(configuration, { [openId.customFetch]: boundedBy(fetch, answerBounds) }) // its type lacks the setter
    const { jwks_uri: keysAt, userinfo_endpoint: userinfoAt } = configuration.serverMetadata()
    if (!keysAt) throw new InvalidResponse('attribute_jwks_uri')
    // An unknown key makes it fetch them again, at most once a minute.
    const freshness = { cacheMaxAge: anHourMs, cooldownDuration: aMinuteMs }
    const fetchKeys = boundedBy(fetch, keySetBounds)
    const keys = createRemoteJWKSet(new URL(keysAt), { [customFetch]: fetchKeys, ...freshness })
    return { configuration, keys, hasUserinfo: userinfoAt !== undefined }
  }
}

/** Checks what openid-client leaves out because the token came over TLS, and returns the claims. */
async function verify(idToken: string, keys: ReturnType<typeof createRemoteJWKSet>, clientId: string) {
  const { jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(idToken, keys, { algorithms, clockTolerance: toleranceSeconds })
  const { iat = 0, azp = clientId } = payload
  if (iat > Date.now() / 1000 + toleranceSeconds) throw new InvalidResponse('claim_iat')
  if (azp !== clientId) throw new InvalidResponse('claim_azp') // made for another client, even if it names us as well
  return payload
}

/**
 * The address and its claims, from the same source: `email_verified` says nothing about another address. But a token
 * without the address that calls it unverified is not silent about that of userinfo.
 */
function aboutEmail(signed: JWTPayload, userinfo: JWTPayload) {
  const doubt = signed.email_verified === true ? undefined : signed.email_verified
  const isSame = signed.email === undefined || (signed.email_verified === undefined && userinfo.email === signed.email)
  const { email, email_verified = doubt, xms_edov = signed.xms_edov } = isSame ? userinfo : signed
  return { email, email_verified, xms_edov }
}

/** Concurrent callers share one call of `load`. Failures are not cached. */
function cacheForAnHour<Value>(load: () => Promise<Value>) {
  let current: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (current && performance.now() < current.until) return current.value
    const mine = { value: load(), until: performance.now() + anHourMs }
    current = mine
    mine.value.catch(() => {
      if (current === mine) current = undefined
    })
    return mine.value
  }
}
