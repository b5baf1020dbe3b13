import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, users } from '../../../drizzle/schema.ts'
import { type ApiToken, apiTokens } from '../../../drizzle/tables/api.ts'
import { pageOf, pageSize } from '../../../plugins/lists.ts'
import { authColumns, isUnsuspended } from '../../../plugins/security/session.ts'
import { roleIn } from '../../accounts/access.ts'
import { selectAccounts } from '../../accounts/accounts.ts'
import { asks, type Proof } from '../../accounts/requirements.ts'
import { presentUser } from '../../auth/props.ts'
import type { ApiClient, TokenKind } from '../clients.ts'
import * as schemas from '../schemas.ts'
import { warnOwner } from './expiry.ts'

/** Tokens of users, as whom their programs act. */
export const userTokens = (app: FastifyInstance): TokenKind => ({
  prefix: 'acct',
  scheme: 'token',
  description: 'Of a person. Acts as they do, in all of their workspaces',
  table: apiTokens,
  me: schemas.User,
  find: (digest) => findClient(app, digest),
  warn: (tx, id) => warnOwner(app, tx, id),
})

async function findClient(app: FastifyInstance, digest: string): Promise<ApiClient | undefined> {
  const { db } = app
  const [found] = await db
    .select({ token: apiTokens, user: authColumns.user })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.digest, digest), isUnsuspended))
  if (!found) return undefined
  const { token, user } = found
  return {
    token,
    user,
    me: () => presentUser(user),
    async accounts(after = 0) {
      const rows = await selectAccounts(db, user.id, gt(accounts.id, after))
        .orderBy(asc(accounts.id))
        .limit(pageSize + 1)
      const accountsWithRole = rows.map(({ account, role }) => ({ ...account, role }))
      return pageOf(accountsWithRole, pageSize)
    },
    async accountAt(slug) {
      const [membership] = await selectAccounts(db, user.id, eq(accounts.slug, slug))
      if (!membership) return undefined
      const { account } = membership
      const credential = { row: validRow(app, token), proof: (now: SQL) => proofOf(token, now) }
      const actor = { userId: user.id, accountId: account.id, credential }
      const isOpen = !asks(app, account)
      return { account, actor, role: isOpen ? membership.role : await roleIn(app, db, actor, account) }
    },
  }
}

/**
 * What its session had: whether that began with two factors, when the second one was set up, and what else it showed.
 */
const proofOf = ({ hasSecondFactor, twoFactorsSince, passedConnections }: ApiToken, now: SQL): Proof => ({
  twoFactors: sql`${hasSecondFactor}::boolean`,
  twoFactorsSince: sql`${twoFactorsSince?.toISOString() ?? null}::timestamptz`,
  shown: { kept: sql`${sql.param(passedConnections)}::bigint[]` },
  now,
})

/** Nothing is written unless the token is still valid by then. */
const validRow = ({ now }: FastifyInstance, { id }: ApiToken) =>
  sql`select from ${apiTokens} where ${and(eq(apiTokens.id, id), gt(apiTokens.expiresAt, now()))}`
