import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Keys } from './keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Encrypts secrets that must be readable later, so digests will not do: AES-256-GCM, bound to their owner. */
    sealing: Sealing
  }
}

export default fp<{ keys: Keys }>(async (app, { keys }) => {
  app.decorate('sealing', createSealing(keys))
})

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
