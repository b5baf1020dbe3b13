import type { MemberProps } from '../../features/accounts/props.ts'

export type Role = MemberProps['role']

export const roleNames: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }
