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
  second_factor_enabled: 'security',
  second_factor_disabled: 'security',
  recovery_codes_made: 'security',
  recovery_code_used: 'security',
  // Ten wrong codes in a row, after the right password.
  second_factor_locked: 'security',
  browser_trusted: 'security',
  trusted_browsers_forgotten: 'security',
  token_created: 'security',
  token_revoked: 'security',
  passkey_added: 'security',
  passkey_renamed: 'security',
  passkey_removed: 'security',
  picture_changed: 'account',
  identity_connected: 'security',
  identity_disconnected: 'security',
  operator_granted: 'security',
  operator_revoked: 'security',
  suspended: 'security',
  unsuspended: 'security',
  // The first proof of the address ended whatever somebody else may have set up.
  ways_in_removed: 'security',
  sso_connected: 'security',
  sso_disconnected: 'security',
  account_created: 'account',
  account_renamed: 'account',
  // Recorded once for each owner, so it outlives the account.
  account_deleted: 'account',
  domain_added: 'account',
  domain_verified: 'account',
  // Another account proved it.
  domain_moved: 'account',
  // Its record was gone on three days in a row.
  domain_lost: 'account',
  domain_removed: 'account',
  sso_saved: 'account',
  sso_removed: 'account',
  sso_required: 'account',
  sso_not_required: 'account',
  member_invited: 'members',
  invitation_revoked: 'members',
  invitation_declined: 'members',
  invitation_link_created: 'members',
  invitation_link_removed: 'members',
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
  passkey_added: { passkey_name: string }
  passkey_renamed: Change<string>
  passkey_removed: { passkey_name: string }
  token_created: { token_name: string }
  token_revoked: { token_name: string }
  picture_changed: { removed: boolean }
  /** `provider` as in its URLs, and what it was called. */
  identity_connected: { provider: string; provider_name: string }
  identity_disconnected: { provider: string; provider_name: string }
  ways_in_removed: { ways: WayIn[] }
  /** The name of the workspace. */
  sso_connected: { account_name: string }
  sso_disconnected: { account_name: string }
  account_renamed: Change<string>
  domain_added: { domain: string }
  domain_verified: { domain: string }
  domain_moved: { domain: string }
  domain_lost: { domain: string }
  domain_removed: { domain: string }
  member_invited: { invitation_id: number; role: Role }
  invitation_revoked: { invitation_id: number; role: Role }
  invitation_declined: { invitation_id: number; role: Role }
  /** `by` says how, unless it was an invitation of their own. */
  member_joined: { role: Role; by?: 'link' | 'sso' }
  role_changed: Change<Role>
}
/** How somebody may sign in, or help to. */
export type WayIn = 'password' | 'second_factor' | 'passkeys' | 'providers' | 'single_sign_on' | 'tokens'

type Change<Value> = { from: Value; to: Value }

type OwnType = keyof typeof kindOf
type DetailsOf<Type extends OwnType> = Type extends keyof Details ? Details[Type] : unknown
type OfOwn<Type extends OwnType> =
  | ((typeof kindOf)[Type] extends 'account' | 'members' ? OfAccount<DetailsOf<Type>> : OfUser<DetailsOf<Type>>)
  | (Type extends 'picture_changed' ? OfUser<DetailsOf<Type>> : never)

export type OwnActivities = { [Type in OwnType]: OfOwn<Type> }

/** Features of a product add theirs by declaration merging. */
export interface Activities extends OwnActivities {}

export type ActivityType = keyof Activities & string

/** Concerns a user, who is the actor by default. A null actor is unknown. */
export type OfUser<Details = unknown> = Details & { userId: number; actorId?: number | null; accountId?: never }

export type OfAccount<Details = unknown> = Details & { accountId: number; actorId: number | null; userId?: number }
