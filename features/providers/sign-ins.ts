import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { isStillOf, type Known } from './identities.ts'

/**
 * Starts a session for the user of the identity. Undefined if it was disconnected or a second factor was added since
 * the user was read: the locks make such a change wait, or make this wait and see the change.
 */
export function signInWithIdentity(
  { db, now }: Pick<FastifyInstance, 'db' | 'now'>,
  userId: number,
  known: Known,
  visitor: Visitor,
) {
  return db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('share')
    if (!user || user.secondFactorAt || !(await isStillOf(tx, userId, known))) return undefined
    return startSession(tx, now(), user, visitor, `provider:${known.provider.id}`)
  })
}
