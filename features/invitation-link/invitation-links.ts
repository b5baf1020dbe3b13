import { randomBytes } from 'node:crypto'
import { and, eq, gte, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { type Actor, asAllowed, type UserActor } from '../accounts/access.ts'
import { addMember, requireMembershipSlot } from '../accounts/accounts.ts'
import { broadcastToMembers, recordAccountActivity } from '../accounts/channel.ts'
import type { Ending } from '../accounts/endings.ts'
import { inAWeek, tokenDigestOf } from '../accounts/received-invitations.ts'
import { maxLinkUses } from './bounds.ts'

// A link with which anyone may join as a member, for a week.

export const invitationLinkOf = async (db: Database, accountId: number) =>
  (await db.select().from(invitationLinks).where(eq(invitationLinks.accountId, accountId)))[0]

/** Replaces the link of the account, and returns the token, which is stored nowhere. Throws NotFound or Denied. */
export const createInvitationLink = (app: FastifyInstance, actor: UserActor) =>
  asAllowed(app, actor, 'members.invite', async (tx) => {
    const { accountId } = actor
    const token = randomBytes(32).toString('base64url')
    const createdAt = app.now()
    const membershipId = membershipIdOf(actor)
    const state = { membershipId, tokenDigest: tokenDigestOf(token), uses: 0, createdAt, expiresAt: inAWeek(createdAt) }
    const values = { accountId, ...state }
    await tx
      .insert(invitationLinks)
      .values(values)
      .onConflictDoUpdate({ target: invitationLinks.accountId, set: values })
    await recordAccountActivity(tx, actor, 'invitation_link_created', {})
    await broadcastToMembers(tx, accountId, 'members')
    return token
  })

export const removeInvitationLink = (app: FastifyInstance, actor: Actor) =>
  asAllowed(app, actor, 'members.invite', async (tx) => {
    const { accountId } = actor
    const removed = await removeLinks(tx, eq(invitationLinks.accountId, accountId), actor)
    if (removed.length === 0) throw new NotFound()
    await broadcastToMembers(tx, accountId, 'members')
  })

/** Removes the links that match, and returns their accounts. Without an actor, nobody is named. */
async function removeLinks(tx: Tx, which: SQL | undefined, actor: Actor | null) {
  const removed = await tx.delete(invitationLinks).where(which).returning({ id: invitationLinks.accountId })
  for (const { id } of removed)
    await recordAccountActivity(tx, actor ?? { accountId: id, userId: null }, 'invitation_link_removed', {})
  return removed.map(({ id }) => id)
}

const isLinkOf = (userId: number) =>
  sql`${invitationLinks.membershipId} in (
    select ${memberships.id} from ${memberships} where ${memberships.userId} = ${userId})`

export async function findInvitationLink({ db, now }: FastifyInstance, token: string) {
  const [row] = await db
    .select({ link: invitationLinks, account: accounts, inviterName: users.name })
    .from(invitationLinks)
    .innerJoin(accounts, eq(accounts.id, invitationLinks.accountId))
    .innerJoin(memberships, eq(memberships.id, invitationLinks.membershipId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(invitationLinks.tokenDigest, tokenDigestOf(token)))
  return row && { ...row, expired: row.link.expiresAt <= now() || row.link.uses >= maxLinkUses }
}

/** Throws NotFound, SignedOut, or Refused if it has expired or the user is unverified or in too many accounts. */
export const joinByLink = (app: FastifyInstance, session: { userId: number; token: string }, token: string) =>
  sessionTransaction(app.db, session.token, async (tx) => {
    const { userId } = session
    const isLinked = eq(invitationLinks.tokenDigest, tokenDigestOf(token))
    const [row] = await tx.select({ id: invitationLinks.accountId }).from(invitationLinks).where(isLinked)
    const id = row?.id ?? 0
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('no key update')
    if (!account) throw new NotFound()
    if ((await tx.$count(memberships, membershipOf(id, userId))) > 0) return { account, joined: false }

    const uses = sql`${invitationLinks.uses} + 1`
    const [link] = await tx.update(invitationLinks).set({ uses }).where(isLinked).returning()
    if (!link) throw new NotFound() // replaced or removed since
    if (link.expiresAt <= app.now() || link.uses > maxLinkUses) throw new Refused(text('This invitation has expired'))
    await requireMembershipSlot(tx, userId)
    const isVerified = and(eq(users.id, userId), eq(users.verified, true))
    if ((await tx.$count(users, isVerified)) === 0) throw new Refused(text('Verify your email first'))
    await addMember(tx, { accountId: id, userId }, 'member', 'link')
    return { account, joined: true }
  })

const membershipOf = (accountId: number, userId: number) =>
  and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))

const membershipIdOf = ({ accountId, userId }: { accountId: number; userId: number }) =>
  sql<number>`(select ${memberships.id} from ${memberships} where ${membershipOf(accountId, userId)})`

/** Who joined by it, or made it, must not come back by it. */
export const linkEnding: Ending = {
  name: 'invitation-link',
  on: {
    managementEnded: (tx, { accountId, userId, actor }) =>
      removeLinks(tx, and(eq(invitationLinks.accountId, accountId), isLinkOf(userId)), actor),
    // Whoever made the link, a removed member may know it.
    memberRemoved: (tx, { accountId, actor }) => removeLinks(tx, eq(invitationLinks.accountId, accountId), actor),
    userSuspended: (tx, { userId }) => removeLinks(tx, isLinkOf(userId), null),
    userRestored: (tx, { userId, since }) =>
      removeLinks(tx, and(isLinkOf(userId), gte(invitationLinks.createdAt, since)), null),
    userClaimed: (tx, { userId, ownedIds }) =>
      removeLinks(tx, or(inArray(invitationLinks.accountId, ownedIds), isLinkOf(userId)), null),
  },
}
