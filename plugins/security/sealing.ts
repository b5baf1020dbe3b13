import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Keys } from './keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Encrypts secrets that must be readable later, so digests will not do: AES-256-GCM, bound to their owner. */
    sealing: Sealing
  }
}

export default fp<{ keys: Keys }>(async (app, { keys }) => void app.decorate('sealing', createSealing(keys)), {
  name: 'sealing',
})

export function createSealing(keys: Keys) {
  const [current, ...previous] = keys
  const keyOf = (sealed: string, owner: string) => previous.find((key) => opens(key, sealed, owner)) ?? current

  return {
    seal: (secret: string, owner: string) => sealWith(current, secret, owner),

    /** Undefined if it was not sealed with our keys, or not for this owner. */
    open(sealed: string, owner: string) {
      const key = keys.find((key) => opens(key, sealed, owner))
      return key && openWith(key, sealed, owner)
    },

    /** Seals it again with the current key, if necessary. */
    renew(sealed: string, owner: string) {
      const key = keyOf(sealed, owner)
      return key === current ? sealed : sealWith(current, openWith(key, sealed, owner), owner)
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

function openWith(key: KeyObject, sealed: string, owner: string) {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

function opens(key: KeyObject, sealed: string, owner: string) {
  try {
    openWith(key, sealed, owner)
    return true
  } catch {
    return false
  }
}
