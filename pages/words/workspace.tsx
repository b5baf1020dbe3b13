import type { MemberProps } from '../../features/accounts/props.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { rich, t } from './t.ts'

type Named = { name: string; personal?: true }

/** A workspace's name for its reader: another person's name alone would look like the person. */
export const workspaceName = ({ name, personal }: Named) => (personal ? t('{name}’s workspace', { name }) : name)

type Invited = { account_name: string; account_personal?: true }

export const invitedName = ({ account_name: name, account_personal: personal }: Invited) =>
  workspaceName({ name, ...(personal && { personal }) })

export const Joining = (invitation: Invited) => (
  <>{rich('Join {account_name}', { account_name: invitedName(invitation) })}</>
)

export type Role = MemberProps['role']

const roleNames: Record<Role, Text> = { owner: text('Owner'), admin: text('Admin'), member: text('Member') }

/** A role in words. One that this build does not know, as during a deployment, stands for itself. */
export function roleIn(role: Role, words = roleNames) {
  const name: Text | undefined = words[role]
  return name ? t(name) : role
}

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
