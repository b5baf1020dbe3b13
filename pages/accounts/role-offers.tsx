import type { ReactElement } from 'react'
import { Menu, MenuAction, MenuChoice, MenuSeparator } from '../popups/menu.tsx'
import { type Role, roleNames, roleOffers } from '../words/roles.ts'
import { t } from '../words/t.ts'

type Props = {
  trigger: ReactElement
  role: Role
  canMakeOwners: boolean
  onChoose(role: Role): void
  /** Only where the viewer may give their own ownership away. */
  onTransfer?: (() => void) | undefined
}

export default function RoleOffers({ trigger, role: now, canMakeOwners, onChoose, onTransfer }: Props) {
  const choices = roleOffers
    .filter(({ role }) => role !== 'owner' || canMakeOwners)
    .map(({ role, meaning }) => ({
      value: role,
      isApart: role === 'owner',
      content: <Offer name={t(roleNames[role])} meaning={t(meaning)} />,
    }))

  return (
    <Menu trigger={trigger} align="end">
      <MenuChoice
        label={t('Role')}
        value={now}
        options={choices}
        onChange={(role) => role === now || onChoose(role)}
        closes
      />
      {onTransfer && (
        <>
          <MenuSeparator />
          <MenuAction onClick={onTransfer}>
            <Offer name={t('Transfer ownership…')} meaning={t('They become an owner, and you an admin')} />
          </MenuAction>
        </>
      )}
    </Menu>
  )
}

const Offer = ({ name, meaning }: { name: string; meaning: string }) => (
  <span className="role-offer">
    {name}
    <span>{meaning}</span>
  </span>
)
