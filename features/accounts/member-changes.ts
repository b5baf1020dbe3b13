import { and, eq, type SQL } from 'drizzle-orm'
import { invitationLinks, type Membership, memberships, type Role, roles } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { type Actor, asMember } from './access.ts'
import { broadcastRemoval, broadcastToMembers, recordIn } from './channel.ts'
import { removeLinks } from './invitation-links.ts'
import { withdrawInvitations } from './invitations.ts'
import { countMembers } from './members.ts'
import { governs, manages, owns } from './roles.ts'

export const changeRole = (db: Database, actor: Actor, membershipId: number, role: string) =>
  asMember(db, actor, async (tx, own) => {
    const target = await membershipIn(tx, actor, eq(memberships.id, membershipId))
    if (!manages(own)) throw new Denied()
    const known = roles.find((name) => name === role)
    if (!known) throw new Refused(text('Role is not included in the list'))
    if (!governs(own, target.role) || !governs(own, known)) throw new Denied()

    if (!owns(known)) await keepAnOwner(tx, target)
    if (known === target.role) return
    await setRole(tx, actor, target, known)
    if (!manages(known)) await withdrawInvitations(tx, actor, target.userId)
    await broadcastToMembers(tx, actor.accountId, 'members')
  })

/** Makes another member an owner, and the actor an admin. Throws NotFound, Denied or Refused. */
export const transferOwnership = (db: Database, actor: Actor, membershipId: number) =>
  asMember(db, actor, async (tx, own) => {
    const target = await membershipIn(tx, actor, eq(memberships.id, membershipId))
    if (!owns(own)) throw new Denied()
    if (target.userId === actor.userId) throw new Refused(text('You own it already'))
    await setRole(tx, actor, target, 'owner')
    await setRole(tx, actor, await membershipIn(tx, actor, eq(memberships.userId, actor.userId)), 'admin')
    await broadcastToMembers(tx, actor.accountId, 'members')
  })

/** Throws NotFound, Denied or Refused. */
export const removeMember = (db: Database, actor: Actor, membershipId: number) =>
  asMember(db, actor, async (tx, own) => {
    const { accountId } = actor
    const target = await membershipIn(tx, actor, eq(memberships.id, membershipId))
    const { userId } = target
    const left = userId === actor.userId
    if (!left && !governs(own, target.role)) throw new Denied()

    await keepAnOwner(tx, target)
    if (!left) await broadcastRemoval(tx, accountId, userId, actor.userId)
    // Whoever made the link, a removed member may know it, and could come back.
    const ended = left ? [] : await removeLinks(tx, eq(invitationLinks.accountId, accountId), actor.userId)
    await withdrawInvitations(tx, actor, userId)
    await tx.delete(memberships).where(eq(memberships.id, target.id))
    await recheckUser(tx, userId)
    await broadcastToMembers(tx, accountId, 'members')
    await recordIn(tx, actor, left ? 'member_left' : 'member_removed', { userId })
    return { left, linkEnded: ended.length > 0 }
  })

async function membershipIn(tx: Tx, { accountId }: Actor, which: SQL) {
  const here = and(eq(memberships.accountId, accountId), which)
  const [membership] = await tx.select().from(memberships).where(here)
  if (!membership) throw new NotFound()
  return membership
}

async function setRole(tx: Tx, actor: Actor, { id, userId, role: from }: Membership, to: Role) {
  if (from === to) return
  await tx.update(memberships).set({ role: to }).where(eq(memberships.id, id))
  await recordIn(tx, actor, 'role_changed', { userId, from, to })
}

async function keepAnOwner(tx: Tx, { accountId, role }: Membership) {
  if (owns(role) && (await countMembers(tx, accountId, 'owner')) === 1)
    throw new Refused(text('A workspace needs at least one owner'))
}
