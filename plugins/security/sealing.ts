import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** For secrets that must be read again, and so cannot be digests: AES-256-GCM, bound to what they belong to. */
    sealing: Sealing
  }
}

export default fp<{ key: KeyObject }>(async (app, { key }) => void app.decorate('sealing', createSealing(key)), {
  name: 'sealing',
})

export function createSealing(key: KeyObject) {
  return {
    seal(secret: string, owner: string) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
      const sealed = [cipher.update(secret, 'utf8'), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },

    /** Throws when it was not sealed here, or not for this owner. */
    open(sealed: string, owner: string) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

export type Sealing = ReturnType<typeof createSealing>
