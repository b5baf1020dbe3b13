import { createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** The keys for one purpose. The current one signs and encrypts, previous ones only verify and decrypt. */
export type Keys = readonly [current: KeyObject, ...previous: KeyObject[]]

export function keyRing(current: string, previous?: string) {
  if (!current) throw new Error('SECRET_KEY_BASE is not set') // its keys would be known to everyone
  return (label: string): Keys => [deriveKey(current, label), ...(previous ? [deriveKey(previous, label)] : [])]
}

/** The label separates the purposes. An HMAC takes seven times as long with a plain buffer. */
const deriveKey = (secretKeyBase: string, label: string) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKeyBase, '', label, 32)))

/** Compares as text, since the same bytes have several spellings in base64url, and an altered one must not work. */
export function isSameMac(sent: string, mac: string) {
  const sentBytes = Buffer.from(sent)
  const macBytes = Buffer.from(mac)
  return sentBytes.length === macBytes.length && timingSafeEqual(sentBytes, macBytes)
}
