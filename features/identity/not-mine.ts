import { and, eq, not } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { neverVerified, undoEmailChange } from '../auth/claims.ts'
import { removeUser } from '../settings/user-deletion.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'tokens' | 'waysIn'>

/** Bound to user and address alone: whoever signed up with it can do nothing to make the link invalid. */
export const mintNotMine = (tokens: Tokens, user: { id: number; email: string }) =>
  tokens.mint({ purpose: 'not_mine', userId: user.id, state: user.email })

/** The user who has the address of this link and has not verified it. */
export async function disputedUser({ db, tokens }: Pick<App, 'db' | 'tokens'>, sid: string) {
  const token = tokens.read('not_mine', sid)
  if (!token) return undefined
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, token.userId), not(users.verified)))
  return user && token.isFor(user.email) ? user : undefined
}

/**
 * Frees the address. A user who never verified any is deleted. One who did since, and then came back to this address,
 * gets the verified one back instead. Returns false if the address was verified or changed meanwhile.
 */
export async function disown(app: App, { id, email }: { id: number; email: string }) {
  const unproved = and(eq(users.email, email), neverVerified(app.db))
  return (await removeUser(app, id, unproved)) || restoreFormerEmail(app, id, email)
}

const restoreFormerEmail = (app: App, id: number, email: string) =>
  app.db.transaction(async (tx) => {
    const unverified = and(eq(users.id, id), eq(users.email, email), not(users.verified))
    const [user] = await tx.select().from(users).where(unverified).for('update')
    return user !== undefined && undoEmailChange(app, tx, user)
  })
