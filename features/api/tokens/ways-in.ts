import { and, desc, eq, gt, inArray, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../../drizzle/schema.ts'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { nameInMail } from '../../../plugins/mail/names.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import type { Ending } from '../../accounts/endings.ts'
import { recordWithNotice } from '../../auth/notices.ts'
import { requireVerified, withReauthentication } from '../../auth/reauthentication/index.ts'
import type { SignInMethod } from '../../auth/sign-in-methods.ts'
import type { Keeper, NewToken } from './tokens.ts'

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

/** The tokens of a user, in a session of theirs. */
export const userKeeper = (app: FastifyInstance, user: KeeperUser, session: string): Keeper<NewToken> => ({
  prefix: 'acct',
  table: apiTokens,
  session,
  isKept: eq(apiTokens.userId, user.id),
  full: text('You have 20 tokens already'),
  change: (reauthentication, work) =>
    withReauthentication(app.db, { userId: user.id, token: session, reauthentication }, (tx, locked) => {
      requireVerified(locked)
      return work(tx)
    }),
  async insert(tx, row) {
    await tx.insert(apiTokens).values({ userId: user.id, ...row })
    await recordWithNotice(app, tx, user, 'token_created', { token_name: row.name })
  },
  revoke: (id) =>
    sessionTransaction(app.db, session, async (tx) => {
      const [locked] = await tx.select().from(users).where(eq(users.id, user.id)).for('update')
      return locked ? removeTokens(app, tx, locked, eq(apiTokens.id, id)) : 0
    }),
})

type KeeperUser = Pick<User, 'id' | 'email' | 'verified'>

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
