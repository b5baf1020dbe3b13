import type { ActivityType } from './activities.ts'

/** Filters of the activity list. Every type belongs to one kind: a new type that is missing here does not compile. */
export type Kind = 'sign_ins' | 'security' | 'account' | 'members'

const kindOf: Record<ActivityType, Kind> = {
  signed_up: 'sign_ins',
  signed_in: 'sign_ins',
  signed_out: 'sign_ins',
  session_ended: 'sign_ins',
  sessions_ended: 'sign_ins',
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
  second_factor_locked: 'security',
  passkey_added: 'security',
  passkey_renamed: 'security',
  passkey_removed: 'security',
  picture_changed: 'account',
  identity_connected: 'security',
  identity_disconnected: 'security',
  account_created: 'account',
  account_renamed: 'account',
  account_deleted: 'account',
  member_invited: 'members',
  invitation_revoked: 'members',
  invitation_declined: 'members',
  member_joined: 'members',
  role_changed: 'members',
  member_removed: 'members',
  member_left: 'members',
}

export const typesOf = (kinds: readonly Kind[]) =>
  Object.entries(kindOf).flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : []))
