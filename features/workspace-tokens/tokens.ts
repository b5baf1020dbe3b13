import { and, desc, eq, gt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import {
  type WorkspaceToken,
  workspaceTokenInvitations,
  workspaceTokens,
} from '../../drizzle/tables/workspace-tokens.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import type { UserActor } from '../accounts/access.ts'
import { asReauthenticated } from '../accounts/access.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { account, type Proof, proofOfSession, unmetRequirement } from '../accounts/requirements.ts'
import { may } from '../accounts/rights.ts'
import { proofToKeep } from '../api/tokens/kept-proof.ts'
import { digestOf, newSecret } from '../api/tokens/secrets.ts'
import { expiryOf, lifetimeOf, lifetimes, maxTokens, type NewToken, rolled } from '../api/tokens/tokens.ts'
import type { ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { revokeTokens } from './revoked.ts'

const nowOf = (app: FastifyInstance) => sql`${app.now().toISOString()}::timestamptz`

export type KnownToken = Awaited<ReturnType<typeof findTokens>>[number]

/** Newest first, with their workspace, who made them, and what became of that. */
export async function findTokens(app: FastifyInstance, db: Database | Tx, which: SQL | undefined) {
  const proof = {
    twoFactors: sql`${workspaceTokens.hasSecondFactor}`,
    twoFactorsSince: sql`null::timestamptz`,
    shown: { kept: sql`${workspaceTokens.passedConnections}` },
    isException: sql`${workspaceTokens.isException}`,
    now: nowOf(app),
  }
  const ofMaker = and(
    eq(memberships.userId, workspaceTokens.makerId),
    eq(memberships.accountId, workspaceTokens.accountId),
  )
  const rows = await db
    .select({
      token: workspaceTokens,
      account,
      maker: users.name,
      suspendedAt: users.suspendedAt,
      role: memberships.role,
      unmet: unmetRequirement(app, proof),
    })
    .from(workspaceTokens)
    .innerJoin(account, eq(account.id, workspaceTokens.accountId))
    .leftJoin(users, eq(users.id, workspaceTokens.makerId))
    .leftJoin(memberships, ofMaker)
    .where(which)
    .orderBy(desc(workspaceTokens.id))
  return rows.map(({ suspendedAt, role, unmet, ...known }) => ({
    ...known,
    isBlocked: suspendedAt !== null || unmet !== null,
    isOrphaned: role === null || !may(role, 'tokens.manage'),
  }))
}

export const isIn = (accountId: number, id: number) =>
  and(eq(workspaceTokens.accountId, accountId), eq(workspaceTokens.id, id))

type Reauthenticated = { reauthentication: ReauthenticationProof }

type NewWorkspaceToken = NewToken & Pick<WorkspaceToken, 'role'>

/** Returns the secret, which is stored nowhere. Throws Denied, SignedOut, Invalid, or Refused for the 21st. */
export const createToken = (app: FastifyInstance, actor: UserActor, token: NewWorkspaceToken & Reauthenticated) =>
  asReauthenticated(app, actor, 'tokens.manage', token.reauthentication, async (tx) => {
    const { id, secret } = await insertToken(app, tx, actor, token)
    await recordChange(app, tx, actor, 'workspace_token_created', { id, name: token.name })
    return secret
  })

/**
 * Gives a token a successor with the same name, role, scope and lifetime, made by whoever rolls it, and ends it within an
 * hour. Returns the secret of the successor. Throws as createToken does, or NotFound if it already has a successor.
 */
export const rollToken = (app: FastifyInstance, actor: UserActor, id: number, { reauthentication }: Reauthenticated) =>
  asReauthenticated(app, actor, 'tokens.manage', reauthentication, async (tx) => {
    const isIt = isIn(actor.accountId, id)
    const [token] = await tx.select().from(workspaceTokens).where(isIt).for('update')
    const days = token && lifetimeOf(token)
    if (!days) throw new NotFound()
    const successor = await insertToken(app, tx, actor, { ...token, days }, ne(workspaceTokens.id, id))
    await tx.update(workspaceTokens).set(rolled(token, app.now())).where(isIt)
    await tx
      .update(workspaceTokenInvitations)
      .set({ tokenId: successor.id })
      .where(eq(workspaceTokenInvitations.tokenId, id))
    await recordChange(app, tx, actor, 'workspace_token_rolled', { ...token, id: successor.id })
    return successor.secret
  })

/** `counted` are the tokens that count for the limit, of which those that have a successor are none. */
async function insertToken(
  app: FastifyInstance,
  tx: Tx,
  { accountId, userId: makerId, credential: session }: UserActor,
  { name, role, scope, days }: NewWorkspaceToken,
  counted?: SQL,
) {
  if (typeof session !== 'string') throw new Denied() // a token makes no tokens
  const createdAt = app.now()
  const lived = sql`${workspaceTokens.expiresAt} - ${workspaceTokens.createdAt}`
  const isUnrolled = sql`${lived} = any(${sql.param(lifetimes.map((days) => `${days} days`))}::interval[])`
  const unexpired = and(
    eq(workspaceTokens.accountId, accountId),
    gt(workspaceTokens.expiresAt, createdAt),
    isUnrolled,
    counted,
  )
  if ((await tx.$count(workspaceTokens, unexpired)) >= maxTokens)
    throw new Refused(text('This workspace has {max} tokens already', { max: maxTokens }))

  const secret = newSecret('acwt')
  const { kept: passedConnections, hasSecondFactor } = proofToKeep(app, session)
  const proof = proofOfSession(sql`${session}`, nowOf(app))
  const [token] = await tx
    .insert(workspaceTokens)
    .values({
      accountId,
      makerId,
      name,
      role,
      scope,
      digest: digestOf(secret),
      hasSecondFactor,
      passedConnections,
      isException: sql`coalesce((select ${isException(app, proof)}
        from ${accounts} account join ${memberships} member on member.account_id = account.id
        where account.id = ${accountId} and member.user_id = ${makerId}), false)`,
      createdAt,
      expiresAt: expiryOf(days, createdAt),
    })
    .returning({ id: workspaceTokens.id })
  if (!token) throw new Error('the token was not created')
  return { id: token.id, secret }
}

/** Whether the session of `member` is let into `account` as an exception. */
function isException({ requirements }: FastifyInstance, proof: Proof) {
  const exceptions = Array.from(
    requirements,
    ({ required, exempts }) => sql`${account[required]} and ${exempts?.(proof) ?? sql`false`}`,
  )
  return or(sql`false`, ...exceptions)
}

async function recordChange(
  app: FastifyInstance,
  tx: Tx,
  actor: UserActor,
  type: 'workspace_token_created' | 'workspace_token_rolled',
  { id, name }: Pick<WorkspaceToken, 'id' | 'name'>,
) {
  const activityId = await recordAccountActivity(tx, actor, type, { token_id: id, token_name: name })
  await mailOwners(app, tx, 'workspace_token_created', { activityId }, { accountId: actor.accountId })
}

/** Throws Denied, SignedOut, or NotFound if the workspace has no such token. */
export const revokeToken = (app: FastifyInstance, actor: UserActor, id: number) =>
  asReauthenticated(app, actor, 'tokens.manage', undefined, async (tx) => {
    const revoked = await revokeTokens(app, tx, isIn(actor.accountId, id), actor)
    if (revoked.length === 0) throw new NotFound()
  })
