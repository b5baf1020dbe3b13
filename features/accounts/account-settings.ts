import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import { type Account, accounts, memberships, type Role } from '../../drizzle/schema.ts'
import type { List } from '../../plugins/composition.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Text } from '../../plugins/languages/text.ts'
import { recordEach } from '../activity/index.ts'
import { lockUserAndConsumeProof, type ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { type Actor, asAllowed, type UserActor } from './access.ts'
import { broadcastDeletion, broadcastToMembers, recheckMembers, recordAccountActivity } from './channel.ts'
import { endFor } from './endings.ts'
import { keepSlugs } from './slugs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    accountSettings: List<AccountSetting>
  }
}

/** What the form sends besides the name. Options add theirs when they are loaded. */
export const settingFields: TProperties = {}

/** What an option keeps of an account and reads from the form of its settings, if the form has it. Throws Invalid. */
export type AccountSetting = (request: FastifyRequest) => Promise<AccountChange | undefined>

/** Called with the account locked. Returns a notice if it changed something. */
export type AccountChange = (tx: Tx, role: Role, before: Account) => Promise<Text | undefined>

type AccountUpdate = { name?: string | undefined; changes?: AccountChange[] }

/** Returns the notice of what options changed. Throws NotFound, Denied, or what changes throw. */
export const updateAccount = (app: FastifyInstance, actor: Actor, { name, changes = [] }: AccountUpdate) =>
  asAllowed(app, actor, 'workspace.rename', async (tx, role, before) => {
    const { accountId } = actor
    if (name !== undefined && name !== before.name) {
      await tx.update(accounts).set({ name }).where(eq(accounts.id, accountId))
      await broadcastToMembers(tx, accountId, 'account')
      await recordAccountActivity(tx, actor, 'account_renamed', { from: before.name, to: name })
    }
    let notice: Text | undefined
    for (const change of changes) notice = (await change(tx, role, before)) ?? notice
    return notice
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
