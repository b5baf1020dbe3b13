import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Membership, memberships, type Role, roles, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { recheckUser } from '../../plugins/live/broadcast.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import {
  type Actor,
  asMember,
  personOf,
  requireAllowed,
  requireManagedToken,
  requirePerson,
  type UserActor,
} from './access.ts'
import { broadcastRemoval, broadcastToMembers, type Changer, recordAccountActivity } from './channel.ts'
import { endFor } from './endings.ts'
import { endManagement } from './invitations.ts'
import { hasAnotherOwner } from './members.ts'
import { mailOwners } from './owner-mails.ts'
import { governs, may, owns } from './rights.ts'

type RoleChange = { membershipId: number; role: string }

/**
 * The member, the role, and whether it makes them an owner or ends that they are one. Both ask who the actor is. Throws
 * as changeRole does.
 */
export async function checkRole(db: Database | Tx, actor: Actor, actorRole: Role, change: RoleChange) {
  const member = await membershipIn(db, actor, eq(memberships.id, change.membershipId))
  requireAllowed(actorRole, 'members.manage')
  await requireManagedToken(db, actor)
  const role = roles.find((name) => name === change.role)
  if (!role) throw new Refused(text('Role is not included in the list'))
  if (!governs(actorRole, member.role) || !governs(actorRole, role)) throw new Denied()
  if (owns(role) || owns(member.role)) refuseApiClient(actor)
  if (owns(role)) await requireActive(db, member)
  else await keepAnOwner(db, member)
  const makesOwner = owns(role) && !owns(member.role)
  return { member, role, makesOwner, unmakesOwner: !owns(role) && isAnotherOwner(actor, member) }
}

const isAnotherOwner = (actor: Actor, member: Membership) => owns(member.role) && member.userId !== personOf(actor)

type Reauthenticated = { reauthentication?: ReauthenticationProof | undefined }

/** Throws NotFound, Denied, Refused, or Invalid if it makes or unmakes an owner without a valid reauthentication. */
export const changeRole = (app: FastifyInstance, actor: Actor, change: RoleChange & Reauthenticated) =>
  asMember(app, actor, async (tx, actorRole) => {
    const { accountId } = actor
    const { member, role, makesOwner, unmakesOwner } = await checkRole(tx, actor, actorRole, change)
    if (role === member.role) return
    const activityId = await setRole(tx, actor, member, role)
    if (!may(role, 'members.invite')) await endManagement(app, tx, actor, member.userId)
    await broadcastToMembers(tx, accountId, 'members')
    if (makesOwner) await mailOwners(app, tx, 'owner_added', { activityId }, { accountId })
    if (unmakesOwner) await mailOwners(app, tx, 'owner_removed', { activityId }, { accountId, formerId: member.userId })
    // Last, since accounts are locked before users.
    if (makesOwner || unmakesOwner) await lockUserAndConsumeProof(tx, requirePerson(actor), change.reauthentication)
  })

/** Throws as transferOwnership does. */
export async function checkTransfer(db: Database | Tx, actor: UserActor, actorRole: Role, membershipId: number) {
  const member = await membershipIn(db, actor, eq(memberships.id, membershipId))
  requireAllowed(actorRole, 'owners.manage')
  if (member.userId === actor.userId) throw new Refused(text('You own it already'))
  await requireActive(db, member)
  return member
}

type Transfer = { membershipId: number; reauthentication: ReauthenticationProof }

/** Makes another member an owner, and the actor an admin. Throws NotFound, Denied, Refused or Invalid. */
export const transferOwnership = (app: FastifyInstance, actor: UserActor, transfer: Transfer) =>
  asMember(app, actor, async (tx, actorRole) => {
    const { accountId, userId } = actor
    const member = await checkTransfer(tx, actor, actorRole, transfer.membershipId)
    if (!owns(member.role)) {
      const activityId = await setRole(tx, actor, member, 'owner')
      await mailOwners(app, tx, 'owner_added', { activityId }, { accountId }) // while the actor is an owner, too
    }
    await setRole(tx, actor, await membershipIn(tx, actor, eq(memberships.userId, userId)), 'admin')
    await broadcastToMembers(tx, accountId, 'members')
    await lockUserAndConsumeProof(tx, userId, transfer.reauthentication)
  })

/** The member, and whether they are another owner, which asks who the actor is. Throws as removeMember does. */
export async function checkRemoval(db: Database | Tx, actor: Actor, actorRole: Role, membershipId: number) {
  const member = await membershipIn(db, actor, eq(memberships.id, membershipId))
  const left = member.userId === personOf(actor)
  if (!left && !governs(actorRole, member.role)) throw new Denied()
  await requireManagedToken(db, actor)
  if (owns(member.role)) refuseApiClient(actor)
  await keepAnOwner(db, member)
  return { member, left, unmakesOwner: isAnotherOwner(actor, member) }
}

type Removal = Reauthenticated & { membershipId: number }

/** Throws NotFound, Denied, Refused, or Invalid if it removes another owner without a valid reauthentication. */
export const removeMember = (app: FastifyInstance, actor: Actor, { membershipId, reauthentication }: Removal) =>
  asMember(app, actor, async (tx, actorRole) => {
    const { accountId } = actor
    const { member, left, unmakesOwner } = await checkRemoval(tx, actor, actorRole, membershipId)
    const { userId } = member
    if (!left) await broadcastRemoval(tx, actor, userId)
    const ended = left ? [] : (await endFor(app, tx, 'memberRemoved', { accountId, userId, actor })).names
    await endManagement(app, tx, actor, userId)
    await tx.delete(memberships).where(eq(memberships.id, member.id))
    await recheckUser(tx, userId)
    await broadcastToMembers(tx, accountId, 'members')
    const activityId = await recordAccountActivity(tx, actor, left ? 'member_left' : 'member_removed', { userId })
    if (unmakesOwner) {
      await mailOwners(app, tx, 'owner_removed', { activityId }, { accountId, formerId: userId })
      await lockUserAndConsumeProof(tx, requirePerson(actor), reauthentication)
    }
    return { left, ended }
  })

/** For who becomes an owner. A suspension locks the accounts, as what calls this does. Throws Refused. */
export async function requireActive(db: Database | Tx, { userId }: Membership) {
  const isSuspended = and(eq(users.id, userId), isNotNull(users.suspendedAt))
  const [user] = await db.select({ name: users.name }).from(users).where(isSuspended)
  if (user) throw new Refused(text('{name} is suspended', { name: user.name }))
}

/** A stolen token must not change who owns an account. */
function refuseApiClient({ credential }: Actor) {
  if (typeof credential !== 'string') throw new Denied()
}

export async function membershipIn(db: Database | Tx, { accountId }: Pick<Actor, 'accountId'>, which: SQL) {
  const isMember = and(eq(memberships.accountId, accountId), which)
  const [membership] = await db.select().from(memberships).where(isMember)
  if (!membership) throw new NotFound()
  return membership
}

export async function setRole(tx: Tx, actor: Changer, { id, userId, role: from }: Membership, to: Role) {
  await tx.update(memberships).set({ role: to }).where(eq(memberships.id, id))
  return recordAccountActivity(tx, actor, 'role_changed', { userId, from, to })
}

async function keepAnOwner(db: Database | Tx, { accountId, userId, role }: Membership) {
  if (owns(role) && !(await hasAnotherOwner(db, accountId, userId)))
    throw new Refused(text('A workspace needs at least one owner'))
}
