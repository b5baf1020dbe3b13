import { Secret, TOTP } from 'otpauth'

// What every authenticator app understands (RFC 6238, with the defaults of Google's key URI format).
const settings = { algorithm: 'SHA1', digits: 6, period: 30 }

/** 160 random bits, as long as the hash wants its key, in base32. */
export const newSecret = () => new Secret({ size: 20 }).base32

/** What an authenticator app reads from the picture. */
export const uriOf = (secret: string, { issuer, label }: { issuer: string; label: string }) =>
  new TOTP({ ...settings, issuer, label, secret }).toString()

/** The time step that a code belongs to, if it is the present one or one of its neighbours: clocks differ, and people type slowly. */
export function stepOf(secret: string, code: string, at: Date) {
  if (!isFromApp(code)) return undefined // otpauth (9.5.2) throws at six characters that are more than six bytes
  const token = { token: code, secret: Secret.fromBase32(secret), timestamp: at.getTime(), window: 1 }
  const delta = TOTP.validate({ ...settings, ...token })
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / settings.period) + delta
}

/** As it was shown, without the blanks and dashes that people and apps put in between. */
export const normalizeCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

/** Whether a normalized code comes from an app; everything else may be a recovery code. */
export const isFromApp = (code: string) => /^\d{6}$/.test(code)
