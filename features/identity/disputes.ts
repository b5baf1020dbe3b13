import { and, eq, not, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { isUniqueViolation } from '../../plugins/database/index.ts'
import { formerAddress, neverVerified, undoEmailChange } from '../auth/claims.ts'
import { removeUser } from '../settings/user-deletion.ts'
import { userOfLink } from './links.ts'

type App = Pick<FastifyInstance, 'db' | 'jobs' | 'mail' | 'now' | 'tokens' | 'signInMethods'>

/** The user who has the address of this link and has not verified it. */
export async function disputedUser(app: App, sid: string) {
  const user = await userOfLink(app, 'not_mine', sid)
  return user?.verified ? undefined : user
}

/**
 * Frees the address. A user who never verified any is deleted. One who did since, and then came back to this address,
 * gets the verified one back instead. Returns false if the address was verified or changed meanwhile.
 */
export async function disown(app: App, { id, email }: { id: number; email: string }) {
  const same = eq(users.email, email)
  const unverified = and(eq(users.id, id), same, not(users.verified))
  return (await removeUser(app, id, and(same, neverVerified))) || restoreFormerEmail(app, unverified)
}

/** The change that this link undoes. Undefined if it is undone, or if the address is someone else's by now. */
export async function changeOf({ db, tokens }: App, sid: string) {
  const token = tokens.read('email_change', sid)
  if (!token) return undefined
  const { userId } = token
  const changes = await db.select({ id: emailChanges.id }).from(emailChanges).where(eq(emailChanges.userId, userId))
  const change = changes.find(({ id }) => token.isFor(String(id)))
  const former = change && (await formerAddress(db, userId, change.id))
  return former && { id: former.id, userId, email: former.previousEmail }
}

/** Undoes the change and all later ones. Returns false if it was undone meanwhile, or the address taken. */
export const restoreEmail = (app: App, { id, userId }: { id: number; userId: number }) =>
  restoreFormerEmail(app, eq(users.id, userId), id)

async function restoreFormerEmail(app: App, whose: SQL | undefined, changeId?: number) {
  try {
    return await app.db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(whose).for('update')
      return user !== undefined && (await undoEmailChange(app, tx, user, changeId))
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false // someone else was faster with the former address
    throw error
  }
}
