import type { Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import type { Activities } from '../activity/activities.ts'
import { record } from '../activity/index.ts'

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

type Here = {
  [Type in keyof Activities]: InPlace<Type> extends never ? never : Type
}[keyof Activities]
type InPlace<Type extends keyof Activities> = Extract<Activities[Type], { accountId: number }>

/** Like `record`, and also announces it. */
export async function recordIn<Type extends Here>(tx: Tx, type: Type, about: InPlace<Type>) {
  const [id] = await Promise.all([record(tx, type, about), emit(tx, 'activity_recorded', about.accountId)])
  return id
}
