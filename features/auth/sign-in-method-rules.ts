import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { passkeysOf, usableIdentities } from './sign-in-methods.ts'

type Removed = { passkeyId?: number; identityId?: number }

/** For the removal of a passkey or an identity. Throws Refused if it is the only sign-in method. */
export async function requireAnotherMethod(app: FastifyInstance, db: Database | Tx, userId: number, removed: Removed) {
  const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
  const remaining = [
    ...(await passkeysOf(db, userId)).filter(({ id }) => id !== removed.passkeyId),
    ...(await usableIdentities(app, db, userId)).filter(({ id }) => id !== removed.identityId),
  ]
  if (!user?.digest && remaining.length === 0) throw new Refused(text('Set a password or add a passkey first'))
}

/** Otherwise someone could sign up with another person's address and keep access to it. Throws Refused. */
export function requireVerified<User extends { verified: boolean }>(user: User | undefined) {
  if (!user?.verified) throw new Refused(text('Verify your email first'))
  return user
}

/** Locks the user for such a change. Throws Refused. */
export async function lockVerified(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return requireVerified(user)
}
