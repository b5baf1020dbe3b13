import type { Role } from '../../drizzle/schema.ts'

// What each role is, and which roles have which right, for the server and the pages. Options and features of a product
// declare rights as well.

type Rules = {
  owns: boolean
  /** May be given with an invitation. */
  invitable: boolean
  /** When the last owner is deleted, the oldest member with the lowest number takes over. */
  succession?: number
}

// A new role does not compile until it is decided here.
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

/** A right that no role has does not compile. */
type Roles = readonly [Role, ...Role[]]

const everybody = ['owner', 'admin', 'member'] as const
const managers = ['owner', 'admin'] as const
const owners = ['owner'] as const

const coreRights = {
  'workspace.read': everybody,
  'workspace.rename': managers,
  'workspace.delete': owners,
  'members.read': everybody,
  'members.invite': managers,
  'members.manage': managers,
  'owners.manage': owners,
  'requirements.manage': owners,
  'activity.read': managers,
  'activity.export': owners,
} as const satisfies Record<string, Roles>
type CoreRights = typeof coreRights

/** All rights by name. Whoever declares some extends it by the type of what they give to `declareRights`. */
export interface Rights extends CoreRights {}
export type Right = keyof Rights

const table = new Map<string, readonly Role[]>()

/** Adds rights to the table. */
export function declareRights<const Declared extends Record<string, Roles>>(rights: Declared) {
  for (const [right, roles] of Object.entries(rights)) table.set(right, roles)
  return rights
}
declareRights(coreRights)

/** During a deployment, a newer process may have written a role that this build does not know: it has no right. */
export const may = (role: Role, right: Right) => table.get(right)?.includes(role) === true

/** Whether a role may change members who have the other one. */
export const governs = (role: Role, other: Role) => may(role, owns(other) ? 'owners.manage' : 'members.manage')
