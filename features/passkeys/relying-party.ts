import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** The site, as authenticators know it. */
export type RelyingParty = { id: string; name: string; origin: string }

/** The expiry time of a challenge, or undefined if it is not ours. */
type IsOurs = (challenge: string) => Date | undefined

/** Slow to load, so not before a passkey is used. */
const library = () => import('@simplewebauthn/server')

const algorithms = [-8, -7, -257] // Ed25519, ES256 and RS256, which cover all authenticators
const known = { residentKey: 'required', userVerification: 'required' } as const

type NewKey = { challenge: Uint8Array; user: { handle: string; name: string; displayName: string }; exclude: string[] }

/** Whether it is at most 1,023 bytes, as WebAuthn demands. Longer ones could not be found again by an index. */
export const isCredentialId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,1364}$/.test(id)

/** Options for creating a passkey: discoverable, and with user verification. */
export async function creationOptions({ id, name }: RelyingParty, { challenge, user, exclude }: NewKey) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    challenge: new Uint8Array(challenge),
    userID: new Uint8Array(Buffer.from(user.handle, 'base64url')),
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: exclude.map((credentialId) => ({ id: credentialId })),
    attestationType: 'none',
    authenticatorSelection: known,
    supportedAlgorithmIDs: algorithms,
  })
}

/** Options for an assertion, by any passkey or one of these. At sign-in, a list would reveal who has some. */
export async function requestOptions({ id }: RelyingParty, challenge: Uint8Array, only?: string[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: id,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
    timeout: 300_000,
    ...(only && { allowCredentials: only.map((credentialId) => ({ id: credentialId })) }),
  })
}

/** Verifies a new passkey. Undefined for any invalid response. */
export async function verifyRegistration(party: RelyingParty, response: unknown, isOurs: IsOurs) {
  return tolerantly(async () => {
    const { verifyRegistrationResponse } = await library()
    const claimed = response as RegistrationResponseJSON // the library validates it
    const answered = answeredBy(claimed, isOurs)
    if (!answered || (await hasCertificates(claimed))) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: claimed,
      expectedChallenge: answered.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
    if (!isCredentialId(credential.id)) return undefined
    return {
      answered,
      passkey: {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        syncable: credentialDeviceType === 'multiDevice',
        synced: credentialBackedUp,
      },
    }
  })
}

export type Registration = NonNullable<Awaited<ReturnType<typeof verifyRegistration>>>

type Known = {
  credentialId: string
  publicKey: string
  syncable: boolean
  handle: string
  /** The passkey had to be one of a list, in which case authenticators may leave the handle out. */
  wasListed?: boolean
}

/** Verifies the assertion of a known passkey. Undefined for any invalid response. The caller checks the counter. */
export async function verifyAssertion(party: RelyingParty, response: unknown, key: Known, isOurs: IsOurs) {
  return tolerantly(async () => {
    const { verifyAuthenticationResponse } = await library()
    const claimed = response as AuthenticationResponseJSON
    const answered = answeredBy(claimed, isOurs)
    const handle = claimed.response.userHandle || (key.wasListed ? key.handle : undefined)
    if (!answered || handle !== key.handle) return undefined
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: claimed,
      expectedChallenge: answered.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: key.credentialId,
        publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
        counter: 0,
      },
    })
    // The backup eligibility of a credential never changes (WebAuthn level 3, 7.2).
    if (!verified || (authenticationInfo.credentialDeviceType === 'multiDevice') !== key.syncable) {
      return undefined
    }
    return { answered, counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  })
}

/**
 * The challenge that was answered, if it is ours. Rejects responses from inside a cross-origin frame, which the library
 * (14.0.3) accepts unless the browser names the top origin.
 */
function answeredBy({ response }: { response: { clientDataJSON: string } }, isOurs: IsOurs) {
  if (typeof response !== 'object' || Object.values(response).some(isTooLong)) return undefined
  const { challenge, crossOrigin } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
  const expiresAt = crossOrigin ? undefined : isOurs(challenge)
  return expiresAt && { challenge, expiresAt }
}

/** No authenticator sends as much. Each part is JSON or CBOR in base64, in which 1 MiB of brackets would fit. */
export const isTooLong = (part: unknown) => typeof part === 'string' && part.length > 16_384

/** The library throws on invalid input, and on much that it does not expect. None of that is our error. */
async function tolerantly<Result>(verify: () => Promise<Result | undefined>) {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

/**
 * Whether an attestation contains certificates. We request none, so browsers send none. The library would parse them
 * and fetch the revocation lists they name, which are URLs chosen by whoever sent them.
 */
async function hasCertificates({ response: { attestationObject } }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
}
