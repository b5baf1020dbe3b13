import type { ReactElement } from 'react'
import { Menu, MenuAction } from '../popups/menu.tsx'
import { type Role, roleOffers } from '../words/roles.ts'
import { t } from '../words/t.ts'

type Props = { trigger: ReactElement; role: Role; canMakeOwners: boolean; onChoose(role: Role): void }

export default function RoleOffers({ trigger, role: now, canMakeOwners, onChoose }: Props) {
  const open = roleOffers.filter(({ role }) => role !== now && (role !== 'owner' || canMakeOwners))

  return (
    <Menu trigger={trigger} align="end">
      {open.map(({ role, label, meaning }) => (
        <MenuAction key={role} onClick={() => onChoose(role)}>
          <span className="role-offer">
            {t(label)}
            <span>{t(meaning)}</span>
          </span>
        </MenuAction>
      ))}
    </Menu>
  )
}
