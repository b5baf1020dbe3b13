import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import fp from 'fastify-plugin'

type Label = 'cookies' | 'csrf' | 'flash' | 'passkeys' | 'sealing' | 'tokens'

/** The keys for one purpose. The current one signs and encrypts, previous ones only verify and decrypt. */
export type Keys = readonly [current: KeyObject, ...previous: KeyObject[]]

export function keyRing(current: string, previous?: string) {
  if (!current) throw new Error('SECRET_KEY_BASE is not set') // its keys would be known to everyone
  return (label: Label): Keys => [deriveKey(current, label), ...(previous ? [deriveKey(previous, label)] : [])]
}

/** The label separates the purposes. An HMAC takes seven times as long with a plain buffer. */
const deriveKey = (secretKeyBase: string, label: Label) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKeyBase, '', label, 32)))

/** Compares as text, since the same bytes have several spellings in base64url, and an altered one must not work. */
export function isSameMac(given: string, mac: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(mac)]
  return a.length === b.length && timingSafeEqual(a, b)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Encrypts secrets that must be readable later, so digests will not do: AES-256-GCM, bound to their owner. */
    sealing: Sealing
  }
}

export default fp<{ keys: Keys }>(async (app, { keys }) => void app.decorate('sealing', createSealing(keys)))

export function createSealing(keys: Keys) {
  const [current, ...previous] = keys
  const seal = (secret: string, owner: string) => sealWith(current, secret, owner)

  return {
    seal,

    open: (sealed: string, owner: string) => openWithAny(keys, sealed, owner),

    renew(sealed: string, owner: string) {
      const secret = openWithAny(previous, sealed, owner)
      return secret === undefined ? sealed : seal(secret, owner)
    },
  }
}

export type Sealing = ReturnType<typeof createSealing>

function sealWith(key: KeyObject, secret: string, owner: string) {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const sealed = [cipher.update(secret, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
}

function openWithAny(keys: readonly KeyObject[], sealed: string, owner: string) {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    } catch {} // sealed with another key, for another owner, or altered
  }
  return undefined
}
