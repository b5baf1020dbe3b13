import { hkdfSync } from 'node:crypto'

/** A key of 32 bytes for one purpose. Labels keep the purposes apart: what one key signs, no other accepts. */
export const deriveKey = (secretKeyBase: string, label: 'cookies' | 'csrf' | 'flash' | 'tokens') =>
  Buffer.from(hkdfSync('sha256', secretKeyBase, '', label, 32))
