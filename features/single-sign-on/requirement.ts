import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { ssoFactors, ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { asAllowed, type UserActor } from '../accounts/access.ts'
import type { Beginning } from '../accounts/beginnings.ts'
import { broadcastToMembers, recheckMembers } from '../accounts/channel.ts'
import { member, type Requirement } from '../accounts/requirements.ts'
import { may } from '../accounts/rights.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { isAtDomainOf, isAtVerifiedDomain } from './addresses.ts'
import { type Changer, recordChange } from './changes.ts'
import { countVerified } from './domains.ts'
import { isExemptOwner } from './owner.ts'
import { hasPassed } from './passes.ts'
import { singleSignOnPaths } from './paths.ts'
import { forgetRemoval } from './removed-members.ts'

/** Who has not passed is asked to, except members who can't and owners who get in by a second factor. */
export const singleSignOnRequirement = (app: FastifyInstance): Requirement => ({
  name: 'single-sign-on',
  rank: 1,
  required: 'requireSingleSignOn',
  unmet: () => sql`true`,
  exempts: (proof) => sql`(${member.outside} or ${isExemptOwner(app, proof)})`,
  path: singleSignOnPaths.singleSignOn,
})

export const singleSignOnBeginning = (app: FastifyInstance): Beginning => ({
  /** While it is required, only owners let in who cannot pass it, or any manager could get around it. */
  async refuses(db, { account, role }, email) {
    if (!account.requireSingleSignOn || may(role, 'requirements.manage') || (await isAtDomainOf(db, account.id, email)))
      return []
    return [text('must be at a domain of {name}', { name: account.name })]
  },
  async accepted(tx, { account, userId, email, isNew }) {
    const accountId = account.id
    await forgetRemoval(app, tx, { accountId, userId })
    if (!isNew || !account.requireSingleSignOn || (await isAtDomainOf(tx, accountId, email))) return
    const isMembership = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))
    await tx.update(memberships).set({ outside: true }).where(isMembership)
  },
})

/** Throws Refused unless the account has a verified domain and this session has passed. */
export const startRequiring = (app: FastifyInstance, actor: UserActor) =>
  asAllowed(app, actor, 'requirements.manage', async (tx, _role, account) => {
    if (account.requireSingleSignOn) return
    if ((await countVerified(tx, actor.accountId)) === 0 || !(await hasPassed(app, tx, actor)))
      throw new Refused(text('Sign in with it yourself first'))
    await setRequired(app, tx, actor, true)
  })

/** Throws Invalid if the proof is void by now. */
export const stopRequiring = (
  app: FastifyInstance,
  actor: UserActor,
  reauthentication: ReauthenticationProof | undefined,
) =>
  asAllowed(app, actor, 'requirements.manage', async (tx, _role, account) => {
    if (!account.requireSingleSignOn) return
    await setRequired(app, tx, actor, false)
    await lockUserAndConsumeProof(tx, actor.userId, reauthentication) // last, as deleteAccount does
  })

export async function setRequired(app: FastifyInstance, tx: Tx, actor: Changer, requireSingleSignOn: boolean) {
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

/**
 * Of a member: their address is at no verified domain, so that they cannot pass. For one that is not verified, the one
 * that they proved before counts: anybody can type another.
 */
const isOutside = () => sql<boolean>`not exists (select from ${users}
  where ${users.id} = ${memberships.userId} and (${isAtVerifiedDomain(memberships.accountId, users.email)}
    or (not ${users.verified} and ${isAtVerifiedDomain(memberships.accountId, users.provedEmail)})))`

/** Whom the requirement concerns, for an owner who is about to set it. */
export async function affectedBy({ db }: FastifyInstance, actor: UserActor) {
  const isIn = eq(memberships.accountId, actor.accountId)
  const isConnected = and(eq(ssoIdentities.accountId, actor.accountId), isNotNull(ssoIdentities.lastUsedAt))
  const [members, connected, outside] = await Promise.all([
    db.$count(memberships, isIn),
    db.$count(ssoIdentities, and(isConnected, isNotNull(ssoIdentities.subject))),
    db.$count(memberships, and(isIn, isOutside())),
  ])
  return { members, connected, outside }
}
