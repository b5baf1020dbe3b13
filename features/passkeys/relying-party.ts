import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** Who asks for a passkey: the site, as authenticators see it. */
export type RelyingParty = { id: string; name: string; origin: string }

/** Until when a challenge is ours; undefined when it is not. */
type IsOurs = (challenge: string) => Date | undefined

/** Slow to load, so not before somebody uses a passkey. */
const library = () => import('@simplewebauthn/server')

const algorithms = [-8, -7, -257] // Ed25519, ES256, RS256: all that authenticators have
const known = { residentKey: 'required', userVerification: 'required' } as const

type NewKey = { challenge: Uint8Array; user: { handle: string; name: string; displayName: string }; exclude: string[] }

/** What the browser is asked when a passkey is made: one that it finds by itself, and unlocks only for its owner. */
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

/** What the browser is asked at sign-in. No passkey is named, so that nobody learns who has some. */
export async function requestOptions({ id }: RelyingParty, challenge: Uint8Array) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: id,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
    timeout: 300_000,
  })
}

/** A new passkey that an authenticator made for us; undefined for everything else that somebody may send. */
export async function verifyRegistration(party: RelyingParty, response: unknown, isOurs: IsOurs) {
  return tolerantly(async () => {
    const { verifyRegistrationResponse } = await library()
    const claimed = response as RegistrationResponseJSON // which the library takes apart
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

type Known = { credentialId: string; publicKey: string; syncable: boolean; handle: string }

/** What an authenticator signed with a key that we know; undefined for everything else. The counter is for the caller to judge. */
export async function verifyAssertion(party: RelyingParty, response: unknown, key: Known, isOurs: IsOurs) {
  return tolerantly(async () => {
    const { verifyAuthenticationResponse } = await library()
    const claimed = response as AuthenticationResponseJSON
    const answered = answeredBy(claimed, isOurs)
    if (!answered || claimed.response.userHandle !== key.handle) return undefined
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
    // Whether a key may be copied never changes (WebAuthn level 3, 7.2).
    if (!verified || (authenticationInfo.credentialDeviceType === 'multiDevice') !== key.syncable) {
      return undefined
    }
    return { answered, counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  })
}

/**
 * The challenge of ours that was answered, on a page of ours: inside of somebody else's the browser says so, which the library (14.0.3) lets pass as
 * long as it does not say whose.
 */
function answeredBy({ response }: { response: { clientDataJSON: string } }, isOurs: IsOurs) {
  const { challenge, crossOrigin } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
  const expiresAt = crossOrigin ? undefined : isOurs(challenge)
  return expiresAt && { challenge, expiresAt }
}

/** The library throws at whatever is not as it should be, and at much that is not what it expects. None of it is an error of ours. */
async function tolerantly<Result>(verify: () => Promise<Result | undefined>) {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

/**
 * Whether an attestation brings certificates. We ask for none, and no browser sends any then; the library would read them, and follow the addresses of
 * revocation lists in them, on behalf of whoever made them up.
 */
async function hasCertificates({ response: { attestationObject } }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
}
