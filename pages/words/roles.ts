import type { MemberProps } from '../../features/accounts/props.ts'

export type Role = MemberProps['role']

export const roleNames: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** Explains a role to the person who has it. */
export const roleMeanings: Record<Role, string> = {
  owner: 'Owner: you decide about everything in the workspace.',
  admin: 'Admin: you manage the workspace and who belongs to it.',
  member: 'Member: you see the workspace and who belongs to it.',
}

/** For use in a sentence. */
export const asRole: Record<Role, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

/** Roles that can be given, and what they mean. */
export const roleOffers: { role: Role; label: string; meaning: string }[] = [
  { role: 'owner', label: 'Make owner', meaning: 'Decides about everything' },
  { role: 'admin', label: 'Make admin', meaning: 'Manages the workspace and its people' },
  { role: 'member', label: 'Make member', meaning: 'Belongs to the workspace' },
]
