import type { Tx } from './database/index.ts'

/**
 * What happens inside of transactions, each with the id that it is about. A copy may add its own by declaration
 * merging.
 */
export interface DomainEvents {
  /** Sessions of this user have ended, or they lost access to something. */
  access_changed: 'user'
  /** This user belongs to someone else from now on: whoever proved the address. */
  user_replaced: 'user'
  /** This user, who is in no account any more, is about to be deleted. */
  user_deleted: 'user'
  /** One of this user's ways to sign in was removed. What began with it must not be completed. */
  sign_in_method_removed: 'user'
  /** Others see another picture of this user, or none. */
  picture_changed: 'user'
  /** The address of this user is proved to be theirs. */
  user_verified: 'user'
  /** Members or invitations. */
  members_changed: 'account'
  account_changed: 'account'
  activity_recorded: 'account'
  /** Some members may no longer see the account. */
  account_access_changed: 'account'
  /** Someone, `userId`, became a member, by an invitation or as the account's first owner. */
  member_joined: 'account'
  /** Someone, `userId`, is no member any more, whether they left, were removed or are being deleted. */
  member_left: 'account'
  /** Before they lose access, so that they can be told why. */
  member_removed: 'account'
  /** It is about to be deleted with all its memberships, which are not told one by one. */
  account_deleted: 'account'
}
type Name = keyof DomainEvents
/** Who did it, and to whom, where that matters. */
type About = { actorId?: number; userId?: number }
type Listener = (tx: Tx, id: number, about: About) => Promise<unknown>

const listeners = new Map<Name, Set<Listener>>()

/**
 * Calls the listener in the transactions of all applications of the process. Twice the same listener counts once.
 * @public for features that listen
 */
export function on(name: Name, listener: Listener) {
  listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
}

/** Lets others take part in the transaction, whose failure is the transaction's. The emitter depends on none of them. */
export const emit = (tx: Tx, name: Name, id: number, about: About = {}) =>
  Promise.all(Array.from(listeners.get(name) ?? [], (listener) => listener(tx, id, about)))
