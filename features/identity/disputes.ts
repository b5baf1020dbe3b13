import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges } from '../../drizzle/schema.ts'
import { holdersOf, lockHolders, makeWay } from '../auth/addresses.ts'
import { withRetries } from '../auth/user-deletion.ts'
import { userOfLink } from './links.ts'

type EmailChange = Pick<typeof emailChanges.$inferSelect, 'id' | 'userId' | 'previousEmail'>

export async function disputedUser(app: FastifyInstance, sid: string) {
  const user = await userOfLink(app, 'not_mine', sid)
  return user?.verified ? undefined : user
}

/**
 * Frees the address. Deletes a user who never verified any address, and gives a user who did their verified one back.
 * Returns false if the address was verified or changed meanwhile.
 */
export const removeUnverifiedUser = (app: FastifyInstance, { id, email }: { id: number; email: string }) =>
  withRetries(app.db, async (tx) => {
    const found = await lockHolders(tx, email)
    if (found?.holders.at(-1)?.id !== id) return false
    await makeWay(app, tx, found)
    return true
  })

/** The change that this link undoes. Undefined if it was undone, or someone else verified the address meanwhile. */
export async function changeOf({ db, tokens }: FastifyInstance, sid: string) {
  const token = tokens.read('email_change', sid)
  if (!token) return undefined
  const { userId } = token
  const changes = await db.select().from(emailChanges).where(eq(emailChanges.userId, userId))
  const change = changes.find(({ id }) => token.isFor(String(id)))
  return change && (await holdersOf(db, change.previousEmail, userId)) && change
}

/**
 * Undoes the change and all later ones. An unverified user who has the address makes way. Returns false if it was
 * undone before, or the address was verified by someone else.
 */
export const undoChange = (app: FastifyInstance, { id, userId, previousEmail }: EmailChange) =>
  withRetries(app.db, async (tx) => {
    const found = await lockHolders(tx, previousEmail, { leaving: userId })
    const [former] = await tx
      .select()
      .from(emailChanges)
      .where(and(eq(emailChanges.id, id), eq(emailChanges.userId, userId)))
    if (!found || !former) return false
    const holders = [...found.holders, { id: userId, never: false, former }]
    await makeWay(app, tx, { ...found, holders })
    return true
  })
