import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'

type User = { id: number; email: string }

/** Queues a verification mail, unless the address has reached its daily limit, whoever asked for those mails. */
export async function queueVerification({ mail }: FastifyInstance, tx: Tx, { id: userId, email }: User) {
  if (await tryTakeMail(tx, 'verification_mail', email)) await mail.queue(tx, 'email_verification', { userId })
}

const verifyFirst = text('Verify your email first')

/**
 * For whatever signs people in besides their password: nobody prepares a way into someone else's account by signing up
 * with their address first. Throws Refused.
 */
export function requireVerified<User extends { verified: boolean }>(user: User | undefined) {
  if (!user?.verified) throw new Refused(verifyFirst)
  return user
}

/** Locks the user for such a change. Throws Refused. */
export async function lockVerified(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return requireVerified(user)
}
