import { and, desc, eq, gt, inArray, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { User } from '../../../drizzle/schema.ts'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { nameInMail } from '../../../plugins/mail/names.ts'
import type { Ending } from '../../accounts/endings.ts'
import { recordWithNotice } from '../../auth/notices.ts'
import type { SignInMethod } from '../../auth/sign-in-methods.ts'

/** Newest first. */
export const tokensOf = (db: Database | Tx, userId: number) =>
  db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.id))

/** Revokes the user's tokens, or those that match. Returns how many there were. */
export async function removeTokens(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const ofUser = and(eq(apiTokens.userId, user.id), which)
  const removed = await tx.delete(apiTokens).where(ofUser).returning({ token_name: apiTokens.name })
  await recordWithNotice(app, tx, user, 'token_revoked', ...removed)
  return removed.length
}

/** They let programs in, and nobody by a form. */
export const tokenMethod = (app: FastifyInstance): SignInMethod => ({
  name: 'tokens',
  title: text('tokens'),
  async find(db, userIds) {
    const unexpired = and(inArray(apiTokens.userId, userIds), gt(apiTokens.expiresAt, app.now()))
    const rows = await db.select().from(apiTokens).where(unexpired).orderBy(desc(apiTokens.id))
    return rows.map(({ id, userId, name }) => ({ userId, id, words: [inWords(name)] }))
  },
  remove: async (tx, user, { before }) =>
    (await removeTokens(app, tx, user, before && lt(apiTokens.createdAt, before))) > 0,
})

export const tokenEnding: Ending = {
  name: 'api',
  on: {
    async userSuspended(tx, { userId }) {
      await tx.delete(apiTokens).where(eq(apiTokens.userId, userId))
    },
    async factorsWithdrawn(tx, { userId }) {
      const ofUser = eq(apiTokens.userId, userId)
      await tx.update(apiTokens).set({ hasSecondFactor: false, twoFactorsSince: null }).where(ofUser)
    },
  },
}

function inWords(token: string) {
  const name = nameInMail(token)
  return name ? text('the token “{name}”', { name }) : text('a token')
}
