import type { Role } from '../../drizzle/schema.ts'

type Rules = {
  owns: boolean
  /** May be given with an invitation. */
  invitable: boolean
  /** When the last owner is deleted, the oldest member with the lowest number takes over. */
  succession?: number
}

// A new role does not compile until it is decided here. What it may do stands in rights.ts.
const rules: Record<Role, Rules> = {
  owner: { owns: true, invitable: false, succession: 1 },
  admin: { owns: false, invitable: true, succession: 2 },
  member: { owns: false, invitable: true, succession: 3 },
}

/** For the rules about owners themselves. What people may do is a right. */
export const owns = (role: Role) => role in rules && rules[role].owns

const all = Object.keys(rules) as Role[]
export const invitableRoles = all.filter((role) => rules[role].invitable)
export const successors = all
  .filter((role) => rules[role].succession)
  .sort((a, b) => (rules[a].succession ?? 0) - (rules[b].succession ?? 0))
