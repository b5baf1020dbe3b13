import type { MemberProps } from '../../features/accounts/props.ts'
import { type Text, text } from '../../plugins/languages/text.ts'

export type Role = MemberProps['role']

export const roleNames: Record<Role, Text> = { owner: text('Owner'), admin: text('Admin'), member: text('Member') }

export const asRole: Record<Role, Text> = {
  owner: text('an owner'),
  admin: text('an admin'),
  member: text('a member'),
}

/** Roles that can be given, and what they mean. The one that cannot be taken back alone is last. */
export const roleOffers: Record<Role, Text> = {
  member: text('Part of the workspace'),
  admin: text('Manages the workspace and its members'),
  owner: text('Full control'),
}
