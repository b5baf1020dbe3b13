import { createSecretKey, hkdfSync } from 'node:crypto'

type Label = 'cookies' | 'csrf' | 'flash' | 'sealing' | 'tokens'

/**
 * A key of 32 bytes for one purpose. Labels keep the purposes apart: what one key signs, no other accepts. A KeyObject, because an HMAC
 * with a plain buffer imports it anew each time, which takes seven times as long.
 */
export const deriveKey = (secretKeyBase: string, label: Label) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKeyBase, '', label, 32)))
