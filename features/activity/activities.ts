import type { Role, SessionMethod } from '../../drizzle/schema.ts'

/** All activities with their details, which may contain ids and names only: no addresses, tokens or other secrets. */
export interface OwnActivities {
  signed_up: OfUser
  /** `method` as in `sessions`. Older records lack it. */
  signed_in: OfUser<{ method?: SessionMethod }>
  signed_out: OfUser
  session_ended: OfUser
  /** All sessions of the user, perhaps except the current one. */
  sessions_ended: OfUser
  /** A wrong password for a known address. Recorded at most once an hour per client. */
  sign_in_refused: OfUser
  email_verified: OfUser
  profile_changed: OfUser<{ from: string; to: string }>
  email_changed: OfUser
  password_changed: OfUser
  password_reset: OfUser
  data_exported: OfUser
  second_factor_enabled: OfUser
  second_factor_disabled: OfUser
  recovery_codes_made: OfUser
  recovery_code_used: OfUser
  /** Ten wrong codes in a row, after the right password. */
  second_factor_locked: OfUser
  passkey_added: OfUser<{ passkey_name: string }>
  passkey_renamed: OfUser<{ from: string; to: string }>
  passkey_removed: OfUser<{ passkey_name: string }>
  browser_trusted: OfUser
  trusted_browsers_forgotten: OfUser
  token_created: OfUser<{ token_name: string }>
  token_revoked: OfUser<{ token_name: string }>
  picture_changed: OfUser<{ removed: boolean }> | OfAccount<{ removed: boolean }>
  /** `provider` as in its URLs, and what it was called. */
  identity_connected: OfUser<{ provider: string; provider_name: string }>
  identity_disconnected: OfUser<{ provider: string; provider_name: string }>
  account_created: OfAccount
  account_renamed: OfAccount<{ from: string; to: string }>
  /** Recorded once for each owner, so it outlives the account. */
  account_deleted: OfAccount
  member_invited: OfAccount<{ invitation_id: number; role: Role }>
  invitation_revoked: OfAccount<{ invitation_id: number; role: Role }>
  invitation_declined: OfAccount<{ invitation_id: number; role: Role }>
  invitation_link_created: OfAccount
  invitation_link_removed: OfAccount
  /** `by` says how, unless it was an invitation of their own. */
  member_joined: OfAccount<{ role: Role; by?: 'link' }>
  role_changed: OfAccount<{ from: Role; to: Role }>
  member_removed: OfAccount
  member_left: OfAccount
}

/** Features of a product add theirs by declaration merging. */
export interface Activities extends OwnActivities {}

export type ActivityType = keyof Activities & string

/** Concerns a user, who is the actor by default. A null actor is unknown. */
export type OfUser<Details = unknown> = Details & { userId: number; actorId?: number | null; accountId?: never }

export type OfAccount<Details = unknown> = Details & { accountId: number; actorId: number | null; userId?: number }
