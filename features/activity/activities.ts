import type { Role } from '../../drizzle/schema.ts'

export type Kind = 'sign_ins' | 'security' | 'account' | 'members'

/** Each activity of the features here. Those of the kinds `account` and `members` concern an account, others a user. */
export const kindOf = {
  signed_up: 'sign_ins',
  // From another system, by the command line.
  imported: 'sign_ins',
  signed_in: 'sign_ins',
  signed_out: 'sign_ins',
  session_ended: 'sign_ins',
  // All sessions of the user, perhaps except the current one.
  sessions_ended: 'sign_ins',
  // A wrong password for a known address. Recorded at most once an hour per client.
  sign_in_refused: 'sign_ins',
  email_verified: 'security',
  profile_changed: 'security',
  email_changed: 'security',
  password_changed: 'security',
  password_reset: 'security',
  data_exported: 'security',
  suspended: 'security',
  unsuspended: 'security',
  account_created: 'account',
  account_renamed: 'account',
  // Recorded once for each owner, so it outlives the account.
  account_deleted: 'account',
  member_invited: 'members',
  invitation_revoked: 'members',
  invitation_declined: 'members',
  member_joined: 'members',
  role_changed: 'members',
  member_removed: 'members',
  member_left: 'members',
} as const satisfies Record<string, Kind>

/** What is recorded besides names. May contain ids and names only: no addresses, tokens or other secrets. */
type Details = {
  /** As in `sessions`. Older records lack it. */
  signed_in: { method?: string }
  profile_changed: Change<string>
  /** Of a change that was undone: its time, and what was ended, by the names of sign-in methods. */
  email_changed: { since?: string; ways?: string[] }
  account_renamed: Change<string>
  member_invited: { invitation_id: number; role: Role }
  invitation_revoked: { invitation_id: number; role: Role }
  invitation_declined: { invitation_id: number; role: Role }
  /** `by` says how, unless it was an invitation of their own. */
  member_joined: { role: Role; by?: 'link' | 'sso' }
  role_changed: Change<Role>
}

export type Change<Value> = { from: Value; to: Value }

type OwnType = keyof typeof kindOf
type DetailsOf<Type extends OwnType> = Type extends keyof Details ? Details[Type] : unknown
type OfOwn<Type extends OwnType> = (typeof kindOf)[Type] extends 'account' | 'members'
  ? OfAccount<DetailsOf<Type>>
  : OfUser<DetailsOf<Type>>

export type OwnActivities = { [Type in OwnType]: OfOwn<Type> }

/** Options and features of a product add theirs by declaration merging. */
export interface Activities extends OwnActivities {}

export type ActivityType = keyof Activities & string

/** Concerns a user, who is the actor by default. A null actor is unknown. */
export type OfUser<Details = unknown> = Details & { userId: number; actorId?: number | null; accountId?: never }

export type OfAccount<Details = unknown> = Details & { accountId: number; actorId: number | null; userId?: number }

const kinds = new Map<string, Kind>(Object.entries(kindOf))

/** For filters. Types without a kind belong to the account. */
export function defineKinds(defined: { [Type in ActivityType]?: Kind }) {
  for (const [type, kind] of Object.entries(defined)) kinds.set(type, kind)
}

export const typesWhere = (isWanted: (kind: Kind) => boolean) =>
  Array.from(kinds, ([type, kind]) => (isWanted(kind) ? [type] : [])).flat()
