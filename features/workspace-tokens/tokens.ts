import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import {
  type WorkspaceToken,
  workspaceTokenInvitations,
  workspaceTokens,
} from '../../drizzle/tables/workspace-tokens.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { asReauthenticated, type UserActor } from '../accounts/access.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { account, proofOfSession, unmetRequirement } from '../accounts/requirements.ts'
import { may } from '../accounts/rights.ts'
import { isUnrolled, type Keeper, maxTokens, type NewToken } from '../api/tokens/tokens.ts'
import type { ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { revokeTokens } from './endings.ts'

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

type NewWorkspaceToken = NewToken & Pick<WorkspaceToken, 'role'>

/** The tokens of a workspace, as a manager changes them. */
export function workspaceKeeper(app: FastifyInstance, actor: UserActor): Keeper<NewWorkspaceToken> {
  const { accountId, userId: makerId, credential: session } = actor
  if (typeof session !== 'string') throw new Denied() // a token makes no tokens
  const change = <Result>(proof: ReauthenticationProof | undefined, work: (tx: Tx) => Promise<Result>) =>
    asReauthenticated(app, actor, 'tokens.manage', proof, work)
  // Whether the workspace let the session in as an exception: it does not open to what the session shows.
  const proof = { ...proofOfSession(sql`${session}`, nowOf(app)), isException: sql`false` }
  const isException = sql`(select ${unmetRequirement(app, proof)} is not null
    from ${accounts} account join ${memberships} member on member.account_id = account.id
    where account.id = ${accountId} and member.user_id = ${makerId})`
  return {
    prefix: 'acwt',
    table: workspaceTokens,
    session,
    isKept: eq(workspaceTokens.accountId, accountId),
    counts: isUnrolled(workspaceTokens),
    full: text('This workspace has {max} tokens already', { max: maxTokens }),
    change,
    async insert(tx, { twoFactorsSince: _, ...row }, { role }, former) {
      const values = { accountId, makerId, role, isException, ...row }
      const [token] = await tx.insert(workspaceTokens).values(values).returning()
      if (!token) throw new Error('the token was not created')
      const sent = eq(workspaceTokenInvitations.tokenId, former ?? 0)
      if (former) await tx.update(workspaceTokenInvitations).set({ tokenId: token.id }).where(sent)
      const type = former ? 'workspace_token_rolled' : 'workspace_token_created'
      const activityId = await recordAccountActivity(tx, actor, type, { token_id: token.id, token_name: token.name })
      await mailOwners(app, tx, 'workspace_token_created', { activityId }, { accountId })
    },
    revoke: (id) => change(undefined, async (tx) => (await revokeTokens(app, tx, isIn(accountId, id), actor)).length),
  }
}
