import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { refill, tryTakeMail } from '../../plugins/security/limits/index.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { confirmationMessages, passwordMessages } from '../auth/password-rules.ts'

type User = Pick<typeof users.$inferSelect, 'id' | 'name' | 'email' | 'emailRevision' | 'passwordDigest'>

export const mintReset = (tokens: Tokens, user: User) =>
  tokens.mint({ purpose: 'password_reset', userId: user.id, state: stateOf(user) })

/**
 * Queues the mail, unless the address has reached its daily limit. Unknown addresses take the same path: only the
 * worker looks up the user, so timing and limits reveal nothing.
 */
export const requestReset = ({ db, mail }: Pick<FastifyInstance, 'db' | 'mail'>, email: string) =>
  db.transaction(async (tx) => {
    if (await tryTakeMail(tx, 'reset_mail', email)) await mail.queue(tx, 'password_reset', { email })
  })

/** The user whose password the link can still reset. */
export async function userOfReset(db: Database, tokens: Tokens, sid: string) {
  const token = tokens.read('password_reset', sid)
  if (!token) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, token.userId))
  return user && token.isFor(stateOf(user)) ? user : undefined
}

type Typed = { password: string; confirmation: string }

/** Validates the new password. Throws Invalid. */
export function checkNewPassword(
  app: Pick<FastifyInstance, 'isTooCommon'>,
  user: User,
  { password, confirmation }: Typed,
) {
  assertValid({
    password: passwordMessages(app, password, user),
    password_confirmation: confirmationMessages(password, confirmation),
  })
  return password
}

/**
 * Sets the password, ends all sessions and resets the count of wrong guesses. Ways to sign in from before the address
 * was verified are removed: they may be those of somebody who signed up with it first. Undefined if the password or the
 * address changed since the user was read.
 */
export async function resetPassword(
  app: Pick<FastifyInstance, 'db' | 'mail' | 'waysIn'>,
  { id, email, emailRevision, passwordDigest: digest }: User,
  password: string,
) {
  const passwordDigest = await digestOf(password)
  return app.db.transaction(async (tx) => {
    const same = sql`${users.passwordDigest} is not distinct from ${digest}` // there may have been none
    const unchanged = and(eq(users.id, id), same, eq(users.emailRevision, emailRevision))
    const [user] = await tx.update(users).set({ passwordDigest }).where(unchanged).returning()
    if (!user) return undefined
    const [activityId] = await Promise.all([
      record(tx, 'password_reset', { userId: id }),
      tx.delete(sessions).where(eq(sessions.userId, id)),
      refill(tx, 'guess', email),
    ])
    await emit(tx, 'access_changed', id)
    await app.waysIn.remove(tx, user, { before: user.verifiedAt ?? user.createdAt })
    await queueNotice(app, tx, user, 'password_changed', { userId: id, activityId })
    return { id, passwordDigest }
  })
}

// Digests are salted, so an old link stays dead even if the same password is set again.
const stateOf = ({ email, emailRevision, passwordDigest }: User) => [email, emailRevision, passwordDigest].join(' ')
