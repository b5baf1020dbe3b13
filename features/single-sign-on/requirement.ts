import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { ssoConnections, ssoFactors, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Actor, asOwner } from '../accounts/access.ts'
import { broadcastToMembers, recheckMembers } from '../accounts/channel.ts'
import { isAtVerifiedDomain } from '../accounts/email-domains.ts'
import { lockUser, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { type Changer, recordChange } from './changes.ts'
import { countVerified } from './domains.ts'

/** Throws Refused unless the account has a verified domain and this session has passed. */
export const startRequiring = (app: FastifyInstance, actor: Actor) =>
  asOwner(app.db, actor, async (tx, _role, account) => {
    if (account.requireSingleSignOn) return
    if ((await countVerified(tx, actor.accountId)) === 0 || !(await hasPassed(tx, actor)))
      throw new Refused(text('Sign in with it yourself first'))
    await setRequired(app, tx, actor, true)
  })

/** Throws Invalid if the proof is void by now. */
export const stopRequiring = (
  app: FastifyInstance,
  actor: Actor,
  reauthentication: ReauthenticationProof | undefined,
) =>
  asOwner(app.db, actor, async (tx, _role, account) => {
    if (!account.requireSingleSignOn) return
    await setRequired(app, tx, actor, false)
    await lockUser(tx, actor.userId, reauthentication) // last, as deleteAccount does
  })

/** For operators: a provider that broke locks a company out. Returns whether there is such an account. */
export async function liftRequirement(app: FastifyInstance, tx: Tx, accountId: number) {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for('no key update')
  if (account?.requireSingleSignOn) await setRequired(app, tx, { accountId, userId: null }, false)
  return account !== undefined
}

async function setRequired(app: FastifyInstance, tx: Tx, actor: Changer, requireSingleSignOn: boolean) {
  const outside = requireSingleSignOn ? isOutside() : false
  const required = { requireSingleSignOn, singleSignOnRequiredAt: requireSingleSignOn ? app.now() : null }
  await tx.update(accounts).set(required).where(eq(accounts.id, actor.accountId))
  await tx.delete(ssoFactors).where(eq(ssoFactors.accountId, actor.accountId)) // those are older than it now
  await tx
    .update(memberships)
    .set({ outside, updatedAt: memberships.updatedAt })
    .where(eq(memberships.accountId, actor.accountId))
  await recordChange(app, tx, actor, requireSingleSignOn ? 'sso_required' : 'sso_not_required', {})
  await broadcastToMembers(tx, actor.accountId, 'members')
  await recheckMembers(tx, actor.accountId)
}

async function hasPassed(db: Database | Tx, { accountId, credential, passes }: Actor) {
  if (!passes || typeof credential !== 'string') return false
  const passed = await db
    .select({ id: ssoPasses.connectionId })
    .from(ssoPasses)
    .innerJoin(ssoConnections, eq(ssoConnections.id, ssoPasses.connectionId))
    .where(
      and(
        eq(ssoPasses.sessionToken, credential),
        eq(ssoConnections.accountId, accountId),
        gt(ssoPasses.passedAt, passes.sessionsSince),
      ),
    )
  return passed.length > 0
}

/**
 * Of a member: their address is at no verified domain, so that they cannot pass. For one that is not verified, the one
 * that they proved before counts: anybody can type another.
 */
const isOutside = () => sql<boolean>`not exists (select from ${users}
  where ${users.id} = ${memberships.userId} and (${isAtVerifiedDomain(memberships.accountId, users.email)}
    or (not ${users.verified} and ${isAtVerifiedDomain(memberships.accountId, users.provedEmail)})))`

/** Whom the requirement concerns, for an owner who is about to set it. */
export async function affectedBy(db: Database, actor: Actor) {
  const isIn = eq(memberships.accountId, actor.accountId)
  const isConnected = and(eq(ssoIdentities.accountId, actor.accountId), isNotNull(ssoIdentities.lastUsedAt))
  const [members, connected, outside, passed] = await Promise.all([
    db.$count(memberships, isIn),
    db.$count(ssoIdentities, and(isConnected, isNotNull(ssoIdentities.subject))),
    db.$count(memberships, and(isIn, isOutside())),
    hasPassed(db, actor),
  ])
  return { members, connected, outside, passed }
}
