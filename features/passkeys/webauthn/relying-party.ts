import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyInstance } from 'fastify'
import type { User } from '../../../drizzle/schema.ts'
import type { Passkey } from '../../../drizzle/tables/passkeys.ts'
import type { OneTime } from '../../../plugins/security/once.ts'
import { type ChallengeScope, expiryOf, fiveMinutesMs, mintChallenge } from './challenges.ts'

/** Slow to load, so not before a passkey is used. */
const library = () => import('@simplewebauthn/server')

/** Passkeys belong to the host, and not to one of its ports. */
export const rpIdOf = ({ site }: FastifyInstance) => new URL(site.origin).hostname

const algorithms = [-8, -7, -257] // Ed25519, ES256 and RS256, which cover all authenticators

/** At most 1,023 bytes, as WebAuthn demands. An index could not hold longer ones. */
export const isCredentialId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,1364}$/.test(id)

const descriptorsOf = (passkeys: Passkey[]) => passkeys.map(({ credentialId }) => ({ id: credentialId }))

type Owner = Pick<User, 'email' | 'name'> & { handle: string; passkeys: Passkey[] }

export async function creationOptions(app: FastifyInstance, scope: ChallengeScope, owner: Owner) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: rpIdOf(app),
    rpName: app.site.appName,
    challenge: mintChallenge(app, scope),
    userID: new Uint8Array(Buffer.from(owner.handle, 'base64url')),
    userName: owner.email,
    userDisplayName: owner.name,
    excludeCredentials: descriptorsOf(owner.passkeys),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    timeout: fiveMinutesMs,
  })
}

/** Options for an assertion, by any passkey or one of these. At sign-in, a list would reveal who has some. */
export async function requestOptions(app: FastifyInstance, scope: ChallengeScope, only?: Passkey[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rpIdOf(app),
    challenge: mintChallenge(app, scope),
    userVerification: 'required',
    timeout: fiveMinutesMs,
    ...(only && { allowCredentials: descriptorsOf(only) }),
  })
}

export function verifyRegistration(app: FastifyInstance, scope: ChallengeScope, credential: unknown) {
  const response = credential as RegistrationResponseJSON // the library validates it
  return verify(app, scope, response, async (answered, expected) => {
    if (await hasCertificates(response)) return undefined
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected,
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

/** Whoever calls it checks the counter. For a passkey of a list, authenticators may leave the user's handle out. */
export function verifyAssertion(
  app: FastifyInstance,
  scope: ChallengeScope,
  credential: unknown,
  { credentialId: id, publicKey, syncable, handle, wasListed }: Passkey & { handle: string; wasListed: boolean },
) {
  const response = credential as AuthenticationResponseJSON
  return verify(app, scope, response, async (answered, expected) => {
    if ((response.response.userHandle || (wasListed ? handle : undefined)) !== handle) return undefined
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...expected,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    // The backup eligibility of a credential never changes (WebAuthn level 3, 7.2).
    if (!verified || (authenticationInfo.credentialDeviceType === 'multiDevice') !== syncable) return undefined
    return { answered, counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  })
}

type Expected = Record<'expectedChallenge' | 'expectedOrigin' | 'expectedRPID', string>

/**
 * Calls `work` if the response answers one of our challenges. Rejects responses from a cross-origin frame, which the
 * library (14.0.3) accepts unless the browser names the top origin. The library throws on invalid and unexpected input,
 * which is not our error.
 */
async function verify<Result>(
  app: FastifyInstance,
  scope: ChallengeScope,
  credential: { response: { clientDataJSON: string } },
  work: (answered: OneTime, expected: Expected) => Promise<Result | undefined>,
) {
  try {
    const { response } = credential
    if (typeof response !== 'object' || Object.values(response).some(isTooLong)) return undefined
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    const expiresAt = crossOrigin ? undefined : expiryOf(app, scope, challenge)
    if (!expiresAt) return undefined
    const expected = { expectedChallenge: challenge, expectedOrigin: app.site.origin, expectedRPID: rpIdOf(app) }
    return await work({ value: challenge, expiresAt }, expected) // by default, the library requires user verification
  } catch (error) {
    // Most often a response that makes no sense, but also a wrong HOST, or an error of ours.
    app.log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'a passkey could not be verified')
    return undefined
  }
}

/** No authenticator sends as much. Each part is JSON or CBOR in base64, in which 1 MiB of brackets would fit. */
export const isTooLong = (part: unknown) => typeof part === 'string' && part.length > 16_384

/** We request none, and the library would fetch the revocation lists they name, whose URLs the client chose. */
async function hasCertificates({ response: { attestationObject } }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined)
}
