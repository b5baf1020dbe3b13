import { ChevronDown } from 'lucide-react'
import type { MemberProps } from '../../features/accounts/props.ts'
import { Menu, MenuAction } from '../shared/menu.tsx'
import { type Role, roleNames } from '../words/roles.ts'

type Props = { member: MemberProps; canMakeOwners: boolean; onChoose(role: Role): void }

const offers: { role: Role; label: string; meaning: string }[] = [
  { role: 'owner', label: 'Make owner', meaning: 'Decides about everything' },
  { role: 'admin', label: 'Make admin', meaning: 'Manages the account and its people' },
  { role: 'member', label: 'Make member', meaning: 'Belongs to the account' },
]

/** What somebody is, and what else they could be. */
export function RoleMenu({ member, canMakeOwners, onChoose }: Props) {
  const open = offers.filter(({ role }) => role !== member.role && (role !== 'owner' || canMakeOwners))

  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="button button-small button-secondary role-button">
          <span className="visually-hidden">Role of {member.name}: </span>
          {roleNames[member.role]}
          <ChevronDown aria-hidden="true" />
        </button>
      }
    >
      {open.map(({ role, label, meaning }) => (
        <MenuAction key={role} onClick={() => onChoose(role)}>
          <span className="role-offer">
            {label}
            <span>{meaning}</span>
          </span>
        </MenuAction>
      ))}
    </Menu>
  )
}
