import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { spentChallenges } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Keys } from '../../plugins/security/keys.ts'

/** What it is asked for, and whom: a challenge for something else, or of somebody else's browser, is none. */
export type Asked = { purpose: 'registration' | 'sign_in'; of: string }

const fiveMinutes = 300_000 // milliseconds
const [random, expiry, signature] = [32, 6, 32] // bytes

/**
 * Challenges carry their own signature, so that nothing has to be stored before one is answered, and so that several tabs may each ask for their own:
 * 32 random bytes, the moment of expiry, and an HMAC over both and over what they are for.
 */
export function createChallenges(keys: Keys, now: () => Date) {
  const [current] = keys

  return {
    mint(asked: Asked) {
      const signed = Buffer.alloc(random + expiry)
      randomBytes(random).copy(signed)
      signed.writeUIntBE(now().getTime() + fiveMinutes, random, expiry)
      return new Uint8Array(Buffer.concat([signed, sign(current, asked, signed)]))
    },

    /** Until when a challenge counts; undefined when it is over, or was not made for this. */
    read(asked: Asked, challenge: string) {
      const bytes = Buffer.from(challenge, 'base64url')
      // Written in another way it would be another one to whoever remembers those that were answered.
      if (bytes.length !== random + expiry + signature || bytes.toString('base64url') !== challenge) return undefined
      const signed = bytes.subarray(0, random + expiry)
      const isSignedWith = (key: KeyObject) =>
        timingSafeEqual(bytes.subarray(random + expiry), sign(key, asked, signed))
      if (!keys.some(isSignedWith)) return undefined
      const expiresAt = signed.readUIntBE(random, expiry)
      return expiresAt > now().getTime() ? new Date(expiresAt) : undefined
    },
  }
}

const sign = (key: KeyObject, { purpose, of }: Asked, signed: Buffer) =>
  createHmac('sha256', key).update(`${purpose}\0${of}\0`).update(signed).digest()

export type Challenges = ReturnType<typeof createChallenges>

/** False when somebody answered this challenge before. */
export async function spendChallenge(tx: Tx, { challenge, expiresAt }: { challenge: string; expiresAt: Date }) {
  const values = { challenge, expiresAt }
  const spent = await tx.insert(spentChallenges).values(values).onConflictDoNothing().returning()
  return spent.length > 0
}
