import { and, eq, gt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { roles } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { SignedOut } from '../../plugins/security/session-transaction.ts'
import type { TokenActor } from '../accounts/access.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { may } from '../accounts/rights.ts'
import { type ApiClient, presentAccount, type TokenKind } from '../api/clients.ts'
import * as schemas from '../api/schemas.ts'
import { findTokens, type KnownToken } from './tokens.ts'

const Me = Type.Object({
  account: schemas.Account,
  token: Type.Object({
    name: Type.String(),
    role: schemas.Account.properties.role,
    scope: Type.String(),
    expires_at: schemas.Account.properties.created_at,
  }),
})

/** Tokens of workspaces, with which programs act as one, there alone. */
export const workspaceTokenKind = (app: FastifyInstance): TokenKind => ({
  prefix: 'acwt',
  scheme: 'workspace_token',
  description: 'Of a workspace. Acts as that, with the role of the token, and knows no other',
  table: workspaceTokens,
  me: Me,
  async find(digest) {
    const [known] = await findTokens(app, app.db, eq(workspaceTokens.digest, digest))
    return known && clientOf(app, known)
  },
  async warn(tx, id) {
    const [token] = await tx.select().from(workspaceTokens).where(eq(workspaceTokens.id, id))
    if (!token) return
    const managers = { accountId: token.accountId, roles: roles.filter((role) => may(role, 'tokens.manage')) }
    await mailOwners(app, tx, 'workspace_token_expires', { tokenId: id }, managers)
  },
})

function clientOf(app: FastifyInstance, { token, account, isBlocked }: KnownToken): ApiClient {
  const { id, name, role, scope, makerId, expiresAt } = token
  const isValid = and(eq(workspaceTokens.id, id), gt(workspaceTokens.expiresAt, app.now()))
  const actor: TokenActor = {
    accountId: account.id,
    // Nothing is written unless the token is still valid by then.
    credential: { row: sql`select from ${workspaceTokens} where ${isValid}` },
    token: { id, name, role, sender: `tokens of ${makerId}`, standing: (db) => standingOf(app, db, id) },
  }
  const known = { ...account, role }
  return {
    token,
    accountId: account.id,
    me: () => ({
      account: presentAccount(known),
      token: { name, role, scope, expires_at: expiresAt.toISOString() },
    }),
    accounts: async (after = 0) => ({ page: account.id > after ? [known] : [], next: null }),
    async accountAt(slug) {
      if (slug !== account.slug) return undefined
      if (isBlocked) throw new Denied()
      return { account, role, actor }
    },
  }
}

/** Throws SignedOut if it was revoked since. */
async function standingOf(app: FastifyInstance, db: Database | Tx, id: number) {
  const [known] = await findTokens(app, db, eq(workspaceTokens.id, id))
  if (!known) throw new SignedOut()
  return known
}
