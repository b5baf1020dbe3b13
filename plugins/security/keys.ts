import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

type Label = 'cookies' | 'csrf' | 'flash' | 'passkeys' | 'sealing' | 'tokens'

/** The keys of one purpose, from the current secret and the ones before it: the first makes what is new, all open what was made. */
export type Keys = readonly [current: KeyObject, ...previous: KeyObject[]]

/** Gives the keys of each purpose. */
export const keyRing =
  (current: string, previous?: string) =>
  (label: Label): Keys => [deriveKey(current, label), ...(previous ? [deriveKey(previous, label)] : [])]

/**
 * A key of 32 bytes for one purpose. Labels keep the purposes apart: what one key signs, no other accepts. A KeyObject, because an HMAC
 * with a plain buffer imports it anew each time, which takes seven times as long.
 */
const deriveKey = (secretKeyBase: string, label: Label) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKeyBase, '', label, 32)))
