import type { Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import type { Activities, ActivityType } from '../activity/activities.ts'
import { record } from '../activity/index.ts'
import type { Actor } from './actor.ts'

declare module '../../plugins/domain-events.ts' {
  interface DomainEvents {
    /** Members or invitations. */
    members_changed: 'account'
    account_changed: 'account'
    activity_recorded: 'account'
    /** Some members may no longer see the account. */
    account_access_changed: 'account'
    /** Somebody, `userId`, became a member, by an invitation or as the account's first owner. */
    member_joined: 'account'
    /** Somebody, `userId`, is no member any more, whether they left, were removed or are being deleted. */
    member_left: 'account'
    /** Before they lose access, so that they can be told why. */
    member_removed: 'account'
    /** It is about to be deleted with all its memberships, which are not told one by one. */
    account_deleted: 'account'
  }
}

type InAccount<Type extends ActivityType> = Extract<Activities[Type], { accountId: number }>
type AccountActivity = { [Type in ActivityType]: InAccount<Type> extends never ? never : Type }[ActivityType]

/** Records what somebody did in an account, like `record`, and announces it. */
export async function recordIn<Type extends AccountActivity>(
  tx: Tx,
  { accountId, userId: actorId }: Pick<Actor, 'accountId' | 'userId'>,
  type: Type,
  details: Omit<InAccount<Type>, 'accountId' | 'actorId'>,
) {
  const about = { ...details, accountId, actorId }
  const [id] = await Promise.all([
    record(tx, type, about as typeof about & Activities[Type]),
    emit(tx, 'activity_recorded', accountId),
  ])
  return id
}
