import { hash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { recoveryCodes } from '../../drizzle/tables/second-factor.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { plainDigits } from '../../plugins/languages/plain.ts'

// Supported by every authenticator app (RFC 6238, with the defaults of Google's key URI format).
const settings = { algorithm: 'SHA1', digits: 6, period: 30 }
const recoveryCodeCount = 10

/** 160 random bits, the key length of SHA-1, in base32. */
export const newSecret = () => new Secret({ size: 20 }).base32

export const uriOf = (secret: string, { issuer, label }: { issuer: string; label: string }) =>
  // Apps take what follows a colon for the name of the account.
  new TOTP({ ...settings, issuer: issuer.replaceAll(':', ' '), label, secret }).toString()

/** The time step of a code, if it is the current one or next to it: clocks differ, and people type slowly. */
export function stepOf(secret: string, code: string, at: Date) {
  if (!isFromApp(code)) return undefined // otpauth (9.5.2) throws if six characters are more than six bytes
  const token = { token: code, secret: Secret.fromBase32(secret), timestamp: at.getTime(), window: 1 }
  const delta = TOTP.validate({ ...settings, ...token })
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / settings.period) + delta
}

/** Without the spaces and dashes that people and apps insert. The six digits of an app may be those of any script. */
export function normalizeCode(code: string) {
  const typed = plainDigits(code).toUpperCase()
  return isFromApp(typed) ? typed : code.replace(/[\s\p{Pd}\p{Bidi_Control}]/gu, '').toUpperCase()
}

/** Whether a normalized code comes from an app. Anything else may be a recovery code. */
export const isFromApp = (code: string) => /^\d{6}$/.test(code)

export async function makeRecoveryCodes(tx: Tx, userId: number) {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, digest: digestOf(code) })))
  return codes
}

/** Only the first of concurrent requests gets true. */
export async function consumeRecoveryCode(tx: Tx, userId: number, code: string) {
  const unspent = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.digest, digestOf(code)))
  return (await tx.delete(recoveryCodes).where(unspent)).rowCount === 1
}

// 80 random bits cannot be guessed, so a fast digest is enough. Those from before have 120.
const newCode = () => new Secret({ size: 10 }).base32
const digestOf = (code: string) => hash('sha256', code, 'base64url')
