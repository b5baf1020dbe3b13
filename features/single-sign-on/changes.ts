import type { FastifyInstance } from 'fastify'
import type { Account } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { asAllowed, type UserActor } from '../accounts/access.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'

type ChangeType =
  | 'domain_removed'
  | 'domain_verified'
  | 'sso_not_required'
  | 'sso_removed'
  | 'sso_required'
  | 'sso_saved'
  | 'sso_setup_link_made'
  | 'sso_setup_link_withdrawn'

/** Without a user, an operator. */
export type Changer = { accountId: number; userId: number | null }

/** Records a change that decides who gets in, and tells the other owners: a thief could make it in the name of one. */
export async function recordChange<Type extends ChangeType>(
  app: FastifyInstance,
  tx: Tx,
  { accountId, userId }: Changer,
  type: Type,
  details: Parameters<typeof recordAccountActivity<Type>>[3],
) {
  const activityId = await recordAccountActivity(tx, { accountId, userId }, type, details)
  await mailOwners(app, tx, 'sso_changed', { activityId }, { accountId, except: userId })
}

type Work<Result> = (tx: Tx, account: Account) => Promise<Result>

/** Whoever proves domains and connects the provider: an owner, or who has the setup link that an owner made. */
export type Setter = {
  accountId: number
  /** The owner. What the undo of a change of their address removes is in their name. */
  creatorId: number
  /** Locks the account, and another one that the work changes. Throws if they may not do it any more. */
  run<Result>(work: Work<Result>, options?: { other?: number | undefined }): Promise<Result>
  record(tx: Tx, type: SetupType, domain?: string): Promise<unknown>
}
export type SetupType = 'domain_added' | 'domain_verified' | 'sso_saved'

export const ownerAs = (app: FastifyInstance, actor: UserActor): Setter => ({
  accountId: actor.accountId,
  creatorId: actor.userId,
  run: (work, options) => asAllowed(app, actor, 'sso.manage', (tx, _role, account) => work(tx, account), options),
  record(tx, type, domain = '') {
    if (type === 'sso_saved') return recordChange(app, tx, actor, type, {})
    if (type === 'domain_verified') return recordChange(app, tx, actor, type, { domain })
    return recordAccountActivity(tx, actor, type, { domain })
  },
})
