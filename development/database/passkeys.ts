import type { FastifyInstance } from 'fastify'
import { passkeys } from '../../drizzle/tables/passkeys.ts'

/** Passkeys that no device has. */
export async function addPasskeys({ db }: FastifyInstance, userId: number) {
  const passkey = { userId, publicKey: 'none', counter: 0 }
  const key = { name: 'The blue key that lies in the upper drawer of the desk at home', syncable: false, synced: false }
  await db.insert(passkeys).values([
    { ...passkey, credentialId: 'b25l', name: 'Chrome on Windows, May 3', syncable: true, synced: true },
    { ...passkey, credentialId: 'dHdv', ...key, lastUsedAt: new Date() },
  ])
}
