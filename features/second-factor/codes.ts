import { Secret, TOTP } from 'otpauth'

// Supported by every authenticator app (RFC 6238, with the defaults of Google's key URI format).
const settings = { algorithm: 'SHA1', digits: 6, period: 30 }

/** 160 random bits, the key length of SHA-1, in base32. */
export const newSecret = () => new Secret({ size: 20 }).base32

/** The URI in the QR code. */
export const uriOf = (secret: string, { issuer, label }: { issuer: string; label: string }) =>
  new TOTP({ ...settings, issuer, label, secret }).toString()

/** The time step of a code, if it is the current one or next to it: clocks differ, and people type slowly. */
export function stepOf(secret: string, code: string, at: Date) {
  if (!isFromApp(code)) return undefined // otpauth (9.5.2) throws if six characters are more than six bytes
  const token = { token: code, secret: Secret.fromBase32(secret), timestamp: at.getTime(), window: 1 }
  const delta = TOTP.validate({ ...settings, ...token })
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / settings.period) + delta
}

/** Without the spaces and dashes that people and apps insert. */
export const normalizeCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

/** Whether a normalized code comes from an app. Anything else may be a recovery code. */
export const isFromApp = (code: string) => /^\d{6}$/.test(code)
