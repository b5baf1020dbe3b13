import { randomBytes } from 'node:crypto'
import { and, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships } from '../../../drizzle/schema.ts'
import { ssoConnections, ssoSetupLinks } from '../../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { asAllowed, asReauthenticated, type UserActor } from '../../accounts/access.ts'
import { recordAccountActivity } from '../../accounts/channel.ts'
import type { Ending } from '../../accounts/endings.ts'
import { mailOwners } from '../../accounts/owner-mails.ts'
import { inAWeek, tokenDigestOf } from '../../accounts/received-invitations.ts'
import { may } from '../../accounts/rights.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../../auth/reauthentication/index.ts'
import type { Setter } from '../changes.ts'
import { recordChange } from '../changes.ts'
import { countVerified } from '../domains.ts'

// A link with which a colleague who has no account proves domains and connects the provider, for a week.

/** That of an account, while it is valid. */
export async function setupLinkOf({ db, now }: FastifyInstance, accountId: number) {
  const isOpen = and(eq(ssoSetupLinks.accountId, accountId), gt(ssoSetupLinks.expiresAt, now()))
  return (await db.select().from(ssoSetupLinks).where(isOpen))[0]
}

/** Replaces the link, and returns the token, which is stored nowhere. Throws Invalid if the proof is void by now. */
export const makeSetupLink = (app: FastifyInstance, actor: UserActor, reauthentication: ReauthenticationProof) =>
  asAllowed(app, actor, 'sso.manage', async (tx) => {
    const { accountId, userId } = actor
    await lockUserAndConsumeProof(tx, userId, reauthentication) // before the link, as what ends with sign-in methods
    const token = randomBytes(32).toString('base64url')
    const createdAt = app.now()
    const membershipId = sql<number>`(select ${memberships.id} from ${memberships}
      where ${memberships.accountId} = ${accountId} and ${memberships.userId} = ${userId})`
    const state = { membershipId, tokenDigest: tokenDigestOf(token), createdAt, expiresAt: inAWeek(createdAt) }
    const values = { accountId, ...state }
    await tx.insert(ssoSetupLinks).values(values).onConflictDoUpdate({ target: ssoSetupLinks.accountId, set: values })
    await recordChange(app, tx, actor, 'sso_setup_link_made', {})
    return token
  })

/** Throws NotFound if there is none. */
export const withdrawSetupLink = (app: FastifyInstance, actor: UserActor) =>
  asReauthenticated(app, actor, 'sso.manage', undefined, async (tx) => {
    const { rowCount } = await tx.delete(ssoSetupLinks).where(eq(ssoSetupLinks.accountId, actor.accountId))
    if (rowCount === 0) throw new NotFound()
    await recordChange(app, tx, actor, 'sso_setup_link_withdrawn', {})
  })

/** The workspace that a token sets up, while the owner who made it is one. */
export async function findSetup(app: FastifyInstance, token: string, db: Database | Tx = app.db) {
  const isOpen = and(eq(ssoSetupLinks.tokenDigest, tokenDigestOf(token)), gt(ssoSetupLinks.expiresAt, app.now()))
  const [found] = await db
    .select({
      account: accounts,
      creatorId: memberships.userId,
      role: memberships.role,
      expiresAt: ssoSetupLinks.expiresAt,
    })
    .from(ssoSetupLinks)
    .innerJoin(accounts, eq(accounts.id, ssoSetupLinks.accountId))
    .innerJoin(memberships, eq(memberships.id, ssoSetupLinks.membershipId))
    .where(isOpen)
  return found && may(found.role, 'sso.manage') ? found : undefined
}
type Setup = NonNullable<Awaited<ReturnType<typeof findSetup>>>

/** Each use is read anew under the lock of the account, recorded, and mailed to all owners. Throws NotFound. */
export const linkAs = (app: FastifyInstance, token: string, { account: { id }, creatorId }: Setup): Setter => ({
  accountId: id,
  creatorId,
  run: (work, { other = id } = {}) =>
    app.db.transaction(async (tx) => {
      const isLocked = inArray(accounts.id, [id, other])
      const locked = await tx.select().from(accounts).where(isLocked).orderBy(accounts.id).for('no key update')
      const account = locked.find((each) => each.id === id)
      if (!account || !(await findSetup(app, token, tx))) throw new NotFound()
      return work(tx, account)
    }),
  async record(tx, did, domain) {
    const details = { did, ...(domain && { domain }) }
    const activityId = await recordAccountActivity(tx, { accountId: id, userId: null }, 'sso_setup_link_used', details)
    await mailOwners(app, tx, 'sso_changed', { activityId }, { accountId: id })
    if (did !== 'domain_added') await endUsedUp(tx, id)
  },
})

/** Once both steps are done, nobody needs it. */
async function endUsedUp(tx: Tx, accountId: number) {
  const isConnected = (await tx.$count(ssoConnections, eq(ssoConnections.accountId, accountId))) > 0
  if (isConnected && (await countVerified(tx, accountId)) > 0)
    await tx.delete(ssoSetupLinks).where(eq(ssoSetupLinks.accountId, accountId))
}

const endLinks = async (tx: Tx, which: SQL | undefined) => {
  const ended = await tx.delete(ssoSetupLinks).where(which).returning({ id: ssoSetupLinks.accountId })
  for (const { id } of ended)
    await recordAccountActivity(tx, { accountId: id, userId: null }, 'sso_setup_link_withdrawn', {})
  return ended.map(({ id }) => id)
}

const madeBy = (userId: number) =>
  sql`${ssoSetupLinks.membershipId} in (
    select ${memberships.id} from ${memberships} where ${memberships.userId} = ${userId})`

/** Who made it, or may know it, must not get in by it. */
export const setupLinkEnding: Ending = {
  name: 'single-sign-on',
  async concerns(tx, userId) {
    const made = await tx.select({ id: ssoSetupLinks.accountId }).from(ssoSetupLinks).where(madeBy(userId))
    return made.map(({ id }) => id)
  },
  on: {
    managementEnded: (tx, { accountId, userId }) =>
      endLinks(tx, and(eq(ssoSetupLinks.accountId, accountId), madeBy(userId))),
    memberRemoved: (tx, { accountId }) => endLinks(tx, eq(ssoSetupLinks.accountId, accountId)),
    userSuspended: (tx, { userId }) => endLinks(tx, madeBy(userId)),
    userRestored: (tx, { userId, since }) => endLinks(tx, and(madeBy(userId), gte(ssoSetupLinks.createdAt, since))),
    userClaimed: (tx, { ownedIds }) => endLinks(tx, inArray(ssoSetupLinks.accountId, ownedIds)),
    methodsRemoved: (tx, { userId, before }) =>
      endLinks(tx, and(madeBy(userId), before && lt(ssoSetupLinks.createdAt, before))),
  },
}
