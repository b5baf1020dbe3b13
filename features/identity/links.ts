import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { refill } from '../../plugins/security/limits/index.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { broadcastUserChange } from '../accounts/channel.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { removeSignInMethods } from '../auth/sign-in-methods.ts'
import { forgetTrustedBrowsers } from '../auth/trusted-browsers.ts'

/** What a link depends on. Once it changes, the link is invalid. */
const states = {
  // Includes `verified`, so a link works only once.
  email_verification: ({ email, emailRevision, verified }: User) => [email, emailRevision, verified].join(' '),
  // Only the address, so that the person who signed up with it cannot make the link invalid.
  not_mine: ({ email }: User) => email,
  // Digests are salted, so an old link stays invalid even if the same password is set again.
  password_reset: ({ email, emailRevision, passwordDigest }: User) => [email, emailRevision, passwordDigest].join(' '),
}

type Purpose = keyof typeof states

export const mintLink = (tokens: Tokens, purpose: Purpose, user: User) =>
  tokens.mint({ purpose, userId: user.id, state: states[purpose](user) })

export async function userOfLink({ db, tokens }: FastifyInstance, purpose: Purpose, sid: string) {
  const token = tokens.read(purpose, sid)
  if (!token) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, token.userId))
  return user && token.isFor(states[purpose](user)) ? user : undefined
}

type Verified = Pick<User, 'id' | 'email' | 'emailRevision'>

/**
 * `openedBy` is the user in whose session the link was opened, if any: mail scanners open links, too, which proves
 * nothing. Returns false if the address was verified or changed since the user was read.
 */
export const verifyEmail = ({ db, now }: FastifyInstance, { id, email, emailRevision }: Verified, openedBy?: number) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const values = { verified: true, verifiedAt: now(), ...(openedBy === id && { provedEmail: email }) }
    const verified = await tx.update(users).set(values).where(unchanged).returning({ id: users.id })
    if (verified.length === 0) return false
    await record(tx, 'email_verified', { userId: id })
    await broadcastUserChange(tx, id, 'verified')
    return true
  })

/**
 * Sets the password, ends all sessions and resets the count of wrong guesses. Removes sign-in methods from before the
 * address was verified, since they may belong to someone else who signed up with it. Undefined if the password or the
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
    const activityId = await record(tx, 'password_reset', { userId: id })
    await deleteSessions(tx, id)
    await forgetTrustedBrowsers(tx, id)
    await refill(tx, 'guess', email)
    await removeSignInMethods(app, tx, user, user.verifiedAt ?? user.createdAt)
    await queueNotice(app, tx, user, 'password_changed', { userId: id, activityId })
    return { id, passwordDigest }
  })
}
