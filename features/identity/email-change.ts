import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { isUniqueViolation } from '../../plugins/database/index.ts'
import { undoEmailChange } from '../auth/claims.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'tokens' | 'waysIn'>

/** The change that this link undoes. Undefined if it is undone, or if the address is somebody else's by now. */
export async function changeOf({ db, tokens }: Pick<App, 'db' | 'tokens'>, sid: string) {
  const token = tokens.read('email_change', sid)
  if (!token) return undefined
  const changes = await db
    .select({
      id: emailChanges.id,
      userId: emailChanges.userId,
      email: emailChanges.previousEmail,
      taken: sql<boolean>`exists (select from ${users} other
        where other.email = ${emailChanges.previousEmail} and other.id <> ${emailChanges.userId})`,
    })
    .from(emailChanges)
    .where(eq(emailChanges.userId, token.userId))
  return changes.find(({ id, taken }) => token.isFor(String(id)) && !taken)
}

/** Undoes the change and all later ones. Returns false if it was undone meanwhile, or the address taken. */
export async function restoreEmail(app: App, { id, userId }: { id: number; userId: number }) {
  const restoration = app.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    return user !== undefined && undoEmailChange(app, tx, user, id)
  })
  return restoration.catch((error) => {
    if (isUniqueViolation(error)) return false
    throw error
  })
}
