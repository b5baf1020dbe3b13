import type { MemberProps } from '../../features/accounts/props.ts'

export type Role = MemberProps['role']

export const roleNames: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

/** A role, and what it means for whoever has it. */
export const roleMeanings: Record<Role, string> = {
  owner: 'Owner: you decide about everything in the account.',
  admin: 'Admin: you manage the account and who belongs to it.',
  member: 'Member: you see the account and who belongs to it.',
}
