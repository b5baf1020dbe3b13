import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, type Role } from '../../drizzle/schema.ts'
import { recordEach } from '../activity/index.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import {
  type Actor,
  asAllowed,
  asMember,
  checkOwnFactor,
  requireAllowed,
  requirePerson,
  type UserActor,
} from './access.ts'
import { broadcastDeletion, broadcastToMembers, recheckMembers, recordAccountActivity } from './channel.ts'
import { endFor } from './endings.ts'
import { keepSlugs } from './slugs.ts'

type AccountUpdate = {
  name?: string | undefined
  requireSecondFactor?: boolean | undefined
  reauthentication?: ReauthenticationProof | undefined
}

/** For the form, and again in the transaction. Throws Denied. */
export function requireUpdateRights(role: Role, { requireSecondFactor }: AccountUpdate) {
  requireAllowed(role, 'workspace.rename')
  if (requireSecondFactor !== undefined) requireAllowed(role, 'requirements.manage')
}

/** Returns whether the requirement changed. Throws NotFound, Denied, or Invalid without an own factor or a proof. */
export const updateAccount = (app: FastifyInstance, actor: Actor, update: AccountUpdate) =>
  asMember(app, actor, async (tx, role, before) => {
    const { accountId } = actor
    const { name, requireSecondFactor, reauthentication } = update
    requireUpdateRights(role, update)
    if (requireSecondFactor) await checkOwnFactor(app, tx, requirePerson(actor))
    const changesRequirement = requireSecondFactor !== undefined && requireSecondFactor !== before.requireSecondFactor
    const isRenamed = name !== undefined && name !== before.name
    if (!changesRequirement && !isRenamed) return false
    await tx.update(accounts).set({ name, requireSecondFactor }).where(eq(accounts.id, accountId))
    await broadcastToMembers(tx, accountId, 'account')
    if (isRenamed) await recordAccountActivity(tx, actor, 'account_renamed', { from: before.name, to: name })
    if (changesRequirement) await recheckMembers(tx, accountId)
    // Somebody may have set the requirement after the form was checked, so the proof is asked for here, too. Last,
    // since it locks the user: otherwise it could deadlock with a deletion (see deleteAccount).
    if (changesRequirement && !requireSecondFactor)
      await lockUserAndConsumeProof(tx, requirePerson(actor), reauthentication)
    return changesRequirement
  })

/** Deletes the account and everything in it. Throws NotFound, Denied or Invalid. */
export const deleteAccount = (app: FastifyInstance, actor: UserActor, reauthentication: ReauthenticationProof) =>
  asAllowed(app, actor, 'workspace.delete', async (tx) => {
    const { accountId, userId: actorId } = actor
    const owners = sql`${memberships} owner where owner.account_id = ${accountId} and owner.role = 'owner'`
    const about = { accountId, actorId, userId: sql`owner.user_id` }
    await recordEach(tx, 'account_deleted', about, { from: owners })
    await broadcastDeletion(tx, accountId, actorId)
    await endFor(app, tx, 'accountsDeleted', { accountIds: [accountId] })
    const deleted = await tx.delete(accounts).where(eq(accounts.id, accountId)).returning({ slug: accounts.slug })
    await recheckMembers(tx, accountId)
    // Last, since it locks the user: a concurrent deletion of another account of theirs locks its members first, and
    // the two could deadlock.
    await lockUserAndConsumeProof(tx, actorId, reauthentication)
    const slugs = deleted.map(({ slug }) => slug)
    await keepSlugs(app, tx, slugs, actorId)
  })
