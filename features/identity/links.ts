import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, type User, users } from '../../drizzle/schema.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { refill } from '../../plugins/security/limits/index.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { broadcastUserChange } from '../accounts/channel.ts'
import { endFor } from '../accounts/endings.ts'
import { record } from '../activity/index.ts'
import { lockUnverifiedOwners, releaseAddress, unverifiedOwnersOf } from '../auth/addresses.ts'
import { queueNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { lockConcerned, removeSignInMethods } from '../auth/sign-in-methods.ts'

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

/** `openedBy` is the user whose session opened the link: mail scanners open links, too, which proves nothing. */
export const verifyEmail = ({ db, now }: FastifyInstance, { id, email, emailRevision }: Verified, openedBy?: number) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const values = { verified: true, verifiedAt: now(), ...(openedBy === id && { provedEmail: email }) }
    if ((await tx.update(users).set(values).where(unchanged)).rowCount === 0) return false
    await record(tx, 'email_verified', { userId: id })
    await broadcastUserChange(tx, id, 'verified')
    return true
  })

/**
 * Sets the password, ends all sessions and resets the count of wrong guesses. Removes other ways in that may be someone
 * else's, who signed up with the address: those from before it was verified, and all of them if the person only now
 * proves that it is theirs. Undefined if the password or the address changed since the user was read.
 */
export async function resetPassword(app: FastifyInstance, before: User, fresh: string) {
  const { id, email, emailRevision, passwordDigest: old } = before
  const passwordDigest = await digestOf(fresh)
  return app.db.transaction(async (tx) => {
    const locked = await lockConcerned(app, tx, id)
    const same = sql`${users.passwordDigest} is not distinct from ${old}` // there may have been none
    const unchanged = and(eq(users.id, id), same, eq(users.emailRevision, emailRevision))
    const [user] = await tx.select().from(users).where(unchanged).for('update')
    if (!user) return undefined
    await tx.update(users).set({ passwordDigest, provedEmail: email }).where(eq(users.id, id))
    const activityId = await record(tx, 'password_reset', { userId: id })
    await deleteSessions(tx, id)
    await endFor(app, tx, 'passwordChanged', { userId: id })
    await refill(tx, 'guess', email)
    const hadProved = user.provedEmail === email
    const before = hadProved ? (user.verifiedAt ?? user.createdAt) : undefined
    await removeSignInMethods(app, tx, user, locked, { before })
    await queueNotice(app, tx, user, 'password_changed', { userId: id, activityId })
    return { id, passwordDigest }
  })
}

export type EmailChange = Pick<typeof emailChanges.$inferSelect, 'id' | 'userId' | 'previousEmail' | 'createdAt'>

export async function disputedUser(app: FastifyInstance, sid: string) {
  const user = await userOfLink(app, 'not_mine', sid)
  return user?.verified || user?.suspendedAt ? undefined : user
}

/** Deletes a user who never verified any address, and gives one who did theirs back. False if it changed meanwhile. */
export const removeUnverifiedUser = (app: FastifyInstance, { id, email }: { id: number; email: string }) =>
  app.db.transaction(async (tx) => {
    const locked = await lockUnverifiedOwners(app, tx, email)
    if (locked?.owners.at(-1)?.id !== id) return false
    await releaseAddress(app, tx, locked)
    return true
  })

/** The change that this link undoes. Undefined if it was undone, or someone else verified the address meanwhile. */
export async function changeOf({ db, tokens }: FastifyInstance, sid: string) {
  const token = tokens.read('email_change', sid)
  if (!token) return undefined
  const { userId } = token
  const changes = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId))
  const change = changes.find(({ id }) => token.isFor(String(id)))
  return change && (await unverifiedOwnersOf(db, change.previousEmail, userId)) && change
}

/** Undoes the change and all later ones. Returns false if it was undone, or verified by someone else. */
export const undoChange = (app: FastifyInstance, { id, userId, previousEmail }: EmailChange, passwordDigest?: string) =>
  app.db.transaction(async (tx) => {
    const locked = await lockUnverifiedOwners(app, tx, previousEmail, { departingUserId: userId })
    const change = and(eq(emailChanges.id, id), eq(emailChanges.userId, userId))
    const [restorableChange] = await tx.select().from(emailChanges).where(change)
    if (!locked || !restorableChange) return false
    const owners = [...locked.owners, { id: userId, neverVerified: false, restorableChange, passwordDigest }]
    await releaseAddress(app, tx, { ...locked, owners })
    return true
  })
