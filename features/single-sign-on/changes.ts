import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/mails.ts'

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
