import { eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'

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
