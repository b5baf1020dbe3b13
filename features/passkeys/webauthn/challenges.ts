import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isSameMac, type Keys } from '../../../plugins/security/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    challengeKeys: Keys
  }
}

/** What a challenge is for, and for whom. One for another purpose or another browser is invalid. */
export type ChallengeScope = { purpose: 'registration' | 'sign_in' | 'reauthentication'; of: string }

/** How long a challenge is valid, and how long browsers wait for an answer. */
export const fiveMinutesMs = 300_000
const [random, expiry] = [32, 6] // bytes

/** Signed, so nothing is stored before one is answered: 32 random bytes, the expiry time, and an HMAC. */
export function mintChallenge({ challengeKeys, now }: FastifyInstance, scope: ChallengeScope) {
  const signed = Buffer.alloc(random + expiry)
  randomBytes(random).copy(signed)
  signed.writeUIntBE(now().getTime() + fiveMinutesMs, random, expiry)
  return new Uint8Array(sign(challengeKeys[0], scope, signed))
}

/** The expiry time of a challenge. Undefined if it has expired or was not made for this purpose. */
export function expiryOf({ challengeKeys, now }: FastifyInstance, scope: ChallengeScope, challenge: string) {
  const signed = Buffer.from(challenge, 'base64url').subarray(0, random + expiry)
  // As text: another encoding of the same bytes would pass as unused.
  const isGenuine = challengeKeys.some((key) => isSameMac(challenge, sign(key, scope, signed).toString('base64url')))
  if (!isGenuine) return undefined
  const expiresAt = signed.readUIntBE(random, expiry)
  return expiresAt > now().getTime() ? new Date(expiresAt) : undefined
}

function sign(key: KeyObject, { purpose, of }: ChallengeScope, signed: Buffer) {
  const mac = createHmac('sha256', key).update(`${purpose}\0${of}\0`).update(signed).digest()
  return Buffer.concat([signed, mac])
}
