import { inArray, notInArray } from 'drizzle-orm'
import { activities } from '../../drizzle/schema.ts'
import type { OwnActivities } from './activities.ts'

/** Filters of the activity list. Every type belongs to one kind: a new type that is missing here does not compile. */
export type Kind = 'sign_ins' | 'security' | 'account' | 'members'

const kindOf: Record<keyof OwnActivities, Kind> = {
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
  account_created: 'account',
  account_renamed: 'account',
  account_deleted: 'account',
  member_invited: 'members',
  invitation_revoked: 'members',
  invitation_declined: 'members',
  invitation_link_created: 'members',
  invitation_link_removed: 'members',
  member_joined: 'members',
  role_changed: 'members',
  member_removed: 'members',
  member_left: 'members',
}

/** The condition for activities of these kinds. What a product adds belongs to the account. */
export function ofKinds(kinds: readonly Kind[]) {
  const typesOf = (isAsked: boolean) =>
    Object.entries(kindOf).flatMap(([type, kind]) => (kinds.includes(kind) === isAsked ? [type] : []))
  return kinds.includes('account')
    ? notInArray(activities.type, typesOf(false))
    : inArray(activities.type, typesOf(true))
}
