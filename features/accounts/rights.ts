import type { Role } from '../../drizzle/schema.ts'
import { owns } from './roles.ts'

// Which roles have which right, for the server and the pages. Options and features of a product declare theirs as well.

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
