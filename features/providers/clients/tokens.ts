import type { JWTPayload } from 'jose'
import { Untrusted } from './failures.ts'
import type { Fetch } from './fetch.ts'

// Slow to load, so not before somebody signs in with a provider.
const library = () => import('jose')

/** How far apart the clocks of a provider and ours may be. */
export const toleranceSeconds = 60

const anHour = 3_600_000 // milliseconds
const aMinute = 60_000
const timeoutMs = 5_000

// Signatures with a private key: neither `none` nor one that whoever knows the client secret can make.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

type Expected = { clientId: string; keysAt: URL; issuerOf(claims: JWTPayload): string; fetch: Fetch }

/**
 * Verifies id tokens: what openid-client leaves out because the token came over TLS, and what it takes as it is.
 * Returns the claims. An unknown key has the keys fetched again, at most once a minute.
 */
export async function verifierOf({ clientId, keysAt, issuerOf, fetch }: Expected) {
  const { createRemoteJWKSet, customFetch, jwtVerify } = await library()
  const keys = createRemoteJWKSet(keysAt, {
    [customFetch]: fetch,
    cacheMaxAge: anHour,
    cooldownDuration: aMinute,
    timeoutDuration: timeoutMs,
  })
  return async (idToken: string) => {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms,
      audience: clientId,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    })
    const { iss, iat = 0, aud, azp } = payload
    if (iss !== issuerOf(payload)) throw new Untrusted('claim_iss')
    if (iat > Date.now() / 1000 + toleranceSeconds) throw new Untrusted('claim_iat')
    // Made for another client, even if it names us as well.
    if (azp !== undefined ? azp !== clientId : [aud].flat().length > 1) throw new Untrusted('claim_azp')
    return payload
  }
}
