import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { refill } from '../../plugins/security/limits/index.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { removeSignInMethods } from '../auth/sign-in-methods.ts'
import { forgetTrustedBrowsers } from '../auth/trusted-browsers.ts'

/**
 * Sets the password, ends all sessions and resets the count of wrong guesses. Ways to sign in from before the address
 * was verified are removed: they may be those of someone who signed up with it first. Undefined if the password or the
 * address changed since the user was read.
 */
export async function resetPassword(
  app: FastifyInstance,
  { id, email, emailRevision, passwordDigest: old }: User,
  fresh: string,
) {
  const passwordDigest = await digestOf(fresh)
  return app.db.transaction(async (tx) => {
    const same = sql`${users.passwordDigest} is not distinct from ${old}` // there may have been none
    const unchanged = and(eq(users.id, id), same, eq(users.emailRevision, emailRevision))
    const [user] = await tx.update(users).set({ passwordDigest, provedEmail: email }).where(unchanged).returning()
    if (!user) return undefined
    const [activityId] = await Promise.all([
      record(tx, 'password_reset', { userId: id }),
      deleteSessions(tx, id),
      forgetTrustedBrowsers(tx, id),
      refill(tx, 'guess', email),
    ])
    await removeSignInMethods(app, tx, user, user.verifiedAt ?? user.createdAt)
    await queueNotice(app, tx, user, 'password_changed', { userId: id, activityId })
    return { id, passwordDigest }
  })
}
