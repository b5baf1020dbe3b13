import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { accounts, invitations, memberships, type Role, roles, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { Denied, Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { recording } from '../activity/index.ts'
import { recordIn } from './history.ts'
import { missingIn, provedIn, ShutOut } from './requirement.ts'

/** The user who acts, the account, and the session. Nothing is done unless the session still exists. */
export type Actor = { userId: number; accountId: number; sessionToken: string }

export const manages = (role: Role) => role === 'owner' || role === 'admin'

/** A person may be a member of so many accounts. */
export const maxAccounts = 100

/** Changes a member's role. Throws NotFound, Denied or Refused. */
export function changeRole(db: Database, actor: Actor, membershipId: number, role: string) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const { own, target } = await lockMembership(tx, actor, membershipId)
    if (!manages(own)) throw new Denied()
    const known = roles.find((name) => name === role)
    if (!known) throw new Refused(text('Role is not included in the list'))
    if ((target.role === 'owner' || known === 'owner') && own !== 'owner') throw new Denied()

    if (known !== 'owner') await keepAnOwner(tx, target)
    if (known === target.role) return
    const change = { ...placeOf(actor), userId: target.userId, from: target.role, to: known }
    await Promise.all([
      tx.update(memberships).set({ role: known }).where(eq(memberships.id, target.id)),
      manages(known) || withdrawInvitations(tx, actor, target.userId),
      emit(tx, 'members_changed', actor.accountId),
      recordIn(tx, 'role_changed', change),
    ])
  })
}

/**
 * Makes another member an owner, and the actor an admin, in one step. Throws NotFound, Denied, or Refused if it is the
 * actor's own membership.
 */
export function transferOwnership(db: Database, actor: Actor, membershipId: number) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const { own, target } = await lockMembership(tx, actor, membershipId)
    if (own !== 'owner') throw new Denied()
    if (target.userId === actor.userId) throw new Refused(text('You own it already'))
    const mine = and(eq(memberships.accountId, actor.accountId), eq(memberships.userId, actor.userId))
    await tx.update(memberships).set({ role: 'owner' }).where(eq(memberships.id, target.id))
    await tx.update(memberships).set({ role: 'admin' }).where(mine)
    if (target.role !== 'owner') {
      await recordIn(tx, 'role_changed', { ...placeOf(actor), userId: target.userId, from: target.role, to: 'owner' })
    }
    await recordIn(tx, 'role_changed', { ...placeOf(actor), userId: actor.userId, from: 'owner', to: 'admin' })
    await emit(tx, 'members_changed', actor.accountId)
  })
}

/** Removes a member, or lets the actor leave. Throws NotFound, Denied or Refused. */
export function removeMember(db: Database, actor: Actor, membershipId: number) {
  return whileSignedIn(db, actor.sessionToken, async (tx) => {
    const { own, target } = await lockMembership(tx, actor, membershipId)
    const left = target.userId === actor.userId
    if (!left && (!manages(own) || (target.role === 'owner' && own !== 'owner'))) throw new Denied()

    await keepAnOwner(tx, target)
    if (!left) await emit(tx, 'member_removed', actor.accountId, { actorId: actor.userId, userId: target.userId })
    await Promise.all([
      tx.delete(memberships).where(eq(memberships.id, target.id)),
      withdrawInvitations(tx, actor, target.userId),
      emit(tx, 'access_changed', target.userId),
      emit(tx, 'members_changed', actor.accountId),
      recordIn(tx, left ? 'member_left' : 'member_removed', { ...placeOf(actor), userId: target.userId }),
    ])
    await emit(tx, 'member_left', actor.accountId, { actorId: actor.userId, userId: target.userId })
    return { left }
  })
}

/**
 * Locks the user, so that two transactions at once cannot exceed the limit, and returns whether they are a member of
 * the account, or may become one of another.
 */
export async function mayJoin(tx: Tx, userId: number, accountId?: number) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const own = await tx
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
  return own.length < maxAccounts || own.some((mine) => mine.accountId === accountId)
}

/** The account and actor, as records name them. */
export const placeOf = ({ accountId, userId: actorId }: Actor) => ({ accountId, actorId })

/**
 * Locks the account, so its roles and its requirement cannot change until the transaction ends, and returns the actor's
 * role. Throws NotFound if they are no longer a member, and ShutOut if the account asks for a second factor meanwhile.
 */
export async function lockRole(tx: Tx, actor: Actor) {
  await lockAccount(tx, actor)
  return roleOf(tx, actor)
}

async function lockMembership(tx: Tx, actor: Actor, membershipId: number) {
  await lockAccount(tx, actor)
  const theirs = and(eq(memberships.id, membershipId), eq(memberships.accountId, actor.accountId))
  const [own, [target]] = await Promise.all([roleOf(tx, actor), tx.select().from(memberships).where(theirs)])
  if (!target) throw new NotFound()
  return { own, target }
}

// A statement of its own, since everything else must be read after the wait for the lock.
const lockAccount = (tx: Tx, { accountId }: Actor) =>
  tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')

async function roleOf(tx: Tx, { userId, accountId, sessionToken }: Actor) {
  const proved = provedIn(sql`${sessionToken}`)
  const missing = missingIn(accounts.requireSecondFactor, sql`${memberships.userId}`, proved)
  const [membership] = await tx
    .select({ role: memberships.role, missing, name: accounts.name })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)))
  if (!membership) throw new NotFound()
  if (membership.missing) throw new ShutOut(membership.missing, membership.name)
  return membership.role
}

async function keepAnOwner(tx: Tx, { accountId, role }: { accountId: number; role: Role }) {
  if (role !== 'owner') return
  const owners = and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'))
  const [row] = await tx.select({ owners: count() }).from(memberships).where(owners)
  if (row?.owners === 1) throw new Refused(text('A workspace needs at least one owner'))
}

/**
 * Deletes the pending invitations of a user who may no longer invite, as they could be a way back in. Mails still
 * queued for them are not sent.
 */
function withdrawInvitations(tx: Tx, actor: Actor, userId: number) {
  const sent = and(
    eq(invitations.accountId, actor.accountId),
    eq(invitations.inviterId, userId),
    isNull(invitations.acceptedAt),
  )
  const revoked = { ...placeOf(actor), invitation_id: sql`withdrawn.id`, role: sql`withdrawn.role` }
  return tx.execute(sql`
    with withdrawn as (delete from ${invitations} where ${sent} returning id, role)
    ${recording('invitation_revoked', revoked, sql`withdrawn`)}`)
}
