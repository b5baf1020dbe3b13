import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, invitationLinks, memberships, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { recording } from '../activity/index.ts'
import { rememberAccount } from './accounts.ts'
import { type Actor, asManager, recordIn } from './actor.ts'
import { broadcastToMembers } from './channel.ts'
import { maxAccounts, mayJoin } from './members.ts'
import { inAWeek } from './received-invitations.ts'

// A link with which anyone may join as a member, for a week.

const maxUses = 100

export const invitationLinkOf = async (db: Database, accountId: number) =>
  (await db.select().from(invitationLinks).where(eq(invitationLinks.accountId, accountId)))[0]

/** Replaces the link of the account, and returns the token, which is stored nowhere. Throws NotFound or Denied. */
export const createInvitationLink = ({ db, now }: FastifyInstance, actor: Actor) =>
  asManager(db, actor, async (tx) => {
    const { accountId } = actor
    const token = randomBytes(32).toString('base64url')
    const createdAt = now()
    const [own] = await tx.select({ id: memberships.id }).from(memberships).where(membershipOf(accountId, actor.userId))
    if (!own) throw new NotFound()
    const state = { membershipId: own.id, tokenDigest: digestOf(token), uses: 0, createdAt }
    const values = { accountId, ...state, expiresAt: inAWeek(createdAt) }
    await tx
      .insert(invitationLinks)
      .values(values)
      .onConflictDoUpdate({ target: invitationLinks.accountId, set: values })
    await recordIn(tx, actor, 'invitation_link_created', {})
    await broadcastToMembers(tx, accountId, 'members')
    return token
  })

/** Throws NotFound or Denied. */
export const removeInvitationLink = (db: Database, actor: Actor) =>
  asManager(db, actor, async (tx) => {
    const here = eq(invitationLinks.accountId, actor.accountId)
    const removed = await tx.delete(invitationLinks).where(here).returning({ uses: invitationLinks.uses })
    if (removed.length === 0) throw new NotFound()
    await recordIn(tx, actor, 'invitation_link_removed', {})
    await broadcastToMembers(tx, actor.accountId, 'members')
  })

/** Removes the link if this member made it, who may no longer invite. */
export function removeLinkOf(tx: Tx, { accountId, userId: actorId }: Actor, makerId: number) {
  const made = sql`membership_id = (select id from ${memberships} where ${membershipOf(accountId, makerId)})`
  return tx.execute(sql`
    with gone as (delete from ${invitationLinks} where account_id = ${accountId} and ${made} returning account_id)
    ${recording('invitation_link_removed', { accountId: sql`gone.account_id`, actorId }, sql`gone`)}`)
}

export async function findInvitationLink({ db, now }: FastifyInstance, token: string) {
  const [found] = await db
    .select({ link: invitationLinks, account: accounts, inviterName: users.name })
    .from(invitationLinks)
    .innerJoin(accounts, eq(accounts.id, invitationLinks.accountId))
    .innerJoin(memberships, eq(memberships.id, invitationLinks.membershipId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(invitationLinks.tokenDigest, digestOf(token)))
  return found && { ...found, expired: found.link.expiresAt <= now() || found.link.uses >= maxUses }
}

/** Throws NotFound, SignedOut, or Refused if it has expired or the user is unverified or in too many accounts. */
export const joinByLink = (app: FastifyInstance, session: { userId: number; token: string }, token: string) =>
  whileSignedIn(app.db, session.token, async (tx) => {
    const { userId } = session
    const isLinked = eq(invitationLinks.tokenDigest, digestOf(token))
    const [found] = await tx.select({ id: invitationLinks.accountId }).from(invitationLinks).where(isLinked)
    const id = found?.id ?? 0
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('no key update')
    if (!account) throw new NotFound()
    if ((await tx.$count(memberships, membershipOf(id, userId))) > 0) return { account, joined: false }

    // Decides who is the hundredth.
    const isOpen = and(gt(invitationLinks.expiresAt, app.now()), lt(invitationLinks.uses, maxUses))
    const [used] = await tx
      .update(invitationLinks)
      .set({ uses: sql`${invitationLinks.uses} + 1` })
      .where(and(isLinked, isOpen))
      .returning({ uses: invitationLinks.uses })
    if (!used) {
      if ((await tx.$count(invitationLinks, isLinked)) === 0) throw new NotFound() // replaced or removed since
      throw new Refused(text('This invitation has expired'))
    }
    if (!(await mayJoin(tx, userId)))
      throw new Refused(text('You are in {max} workspaces already', { max: maxAccounts }))
    const isVerified = and(eq(users.id, userId), eq(users.verified, true))
    if ((await tx.$count(users, isVerified)) === 0) throw new Refused(text('Verify your email first'))
    await tx.insert(memberships).values({ accountId: id, userId, role: 'member' })
    await recordIn(tx, { accountId: id, userId }, 'member_joined', { userId, role: 'member', by: 'link' })
    await rememberAccount(tx, userId, id)
    await broadcastToMembers(tx, id, 'members')
    return { account, joined: true }
  })

const membershipOf = (accountId: number, userId: number) =>
  and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url')
