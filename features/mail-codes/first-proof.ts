import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { removeSignInMethods } from '../auth/sign-in-methods.ts'

/**
 * Removes all other ways in of somebody who proves their address for the first time: they may be those of a stranger,
 * who signed up with it and waited. What somebody answers for who proved the domain of the address stays. Returns the user, who must be locked, as they are then.
 */
export async function endUnproved(app: FastifyInstance, tx: Tx, user: User, locked: number[]) {
  const removed = await removeSignInMethods(app, tx, user, locked, { keepsVouched: true })
  await deleteSessions(tx, user.id)
  const voided = { passwordDigest: null, updatedAt: users.updatedAt }
  const [changed] = await tx.update(users).set(voided).where(eq(users.id, user.id)).returning()
  const ways = [...(user.passwordDigest ? ['password'] : []), ...removed]
  if (ways.length > 0) await recordWithNotice(app, tx, user, 'ways_in_removed', { ways })
  return changed ?? false
}
