import type { Role } from '../../drizzle/schema.ts'

type Rights = {
  /** Invites people, changes and removes members, renames the workspace and reads its activity. */
  manages: boolean
  /** Creates and changes what features keep in the account. A role without it reads. */
  writes: boolean
  owns: boolean
  /** May be given with an invitation. */
  invitable: boolean
  /** When the last owner is deleted, the oldest member with the lowest number takes over. */
  succession?: number
}

// What each role may do, for the server and the pages. A new role does not compile until it is decided here.
const rights: Record<Role, Rights> = {
  owner: { manages: true, writes: true, owns: true, invitable: false, succession: 1 },
  admin: { manages: true, writes: true, owns: false, invitable: true, succession: 2 },
  member: { manages: false, writes: true, owns: false, invitable: true, succession: 3 },
}

// During a deployment, a newer process may have written a role that this build does not know.
const rightsOf = (role: Role): Rights | undefined => rights[role]

export const manages = (role: Role) => rightsOf(role)?.manages === true
export const writes = (role: Role) => rightsOf(role)?.writes === true
export const owns = (role: Role) => rightsOf(role)?.owns === true

export const governs = (role: Role, other: Role) => owns(role) || (manages(role) && rightsOf(other)?.owns === false)

const all = Object.keys(rights) as Role[]
export const invitableRoles = all.filter((role) => rights[role].invitable)
export const successors = all
  .filter((role) => rights[role].succession)
  .sort((a, b) => (rights[a].succession ?? 0) - (rights[b].succession ?? 0))
