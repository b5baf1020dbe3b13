import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { owns } from '../../features/accounts/roles.ts'
import { Ask, type Decision } from '../popups/ask.tsx'
import { Menu, MenuAction, MenuChoice, MenuSeparator } from '../popups/menu.tsx'
import { type Role, roleNames, roleOffers } from '../words/roles.ts'
import { rich, t } from '../words/t.ts'
import { changeRole, transferOwnership } from './member-actions.ts'

type Props = { account: AccountProps; member: MemberProps; isViewer: boolean; canMakeOwners: boolean }

/**
 * A member's role, and the roles they could have. Asks for confirmation if the change cannot be undone by the person
 * who makes it.
 */
export function RoleMenu({ account, member, isViewer, canMakeOwners }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [decision, setDecision] = useState<Decision>()

  const choose = (role: Role) => {
    const stepsDown = isViewer && owns(member.role)
    const change = () => changeRole(account, member, role, { canUndo: !stepsDown })
    if (owns(role)) setDecision({ ...makingOwner(account, member), onConfirm: change })
    else if (stepsDown) setDecision({ ...steppingDown(account), onConfirm: change })
    else change()
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <button type="button" ref={button} className="button button-small button-secondary role-button">
            <span className="visually-hidden">{rich('Role of {name}:', { name: <bdi>{member.name}</bdi> })} </span>
            {t(roleNames[member.role])}
            <ChevronDown aria-hidden="true" />
          </button>
        }
      >
        <MenuChoice
          label={t('Role')}
          value={member.role}
          options={offersTo(canMakeOwners)}
          onChange={(role) => role === member.role || choose(role)}
          closes
        />
        {canMakeOwners && !isViewer && (
          <>
            <MenuSeparator />
            <MenuAction onClick={() => setDecision(transferring(account, member))}>
              <Offer name={t('Transfer ownership…')} meaning={t('They become an owner, and you an admin')} />
            </MenuAction>
          </>
        )}
      </Menu>
      {decision && <Ask {...decision} finalFocus={button} onClose={() => setDecision(undefined)} />}
    </>
  )
}

const offersTo = (canMakeOwners: boolean) =>
  (Object.keys(roleOffers) as Role[])
    .filter((role) => !owns(role) || canMakeOwners)
    .map((role) => ({
      value: role,
      isApart: owns(role),
      content: <Offer name={t(roleNames[role])} meaning={t(roleOffers[role])} />,
    }))

const Offer = ({ name, meaning }: { name: string; meaning: string }) => (
  <span className="role-offer">
    {name}
    <span>{meaning}</span>
  </span>
)

const makingOwner = (account: AccountProps, member: MemberProps) => ({
  title: rich('Make {name} an owner?', { name: <bdi>{member.name}</bdi> }),
  action: t('Make owner'),
  explanation: (
    <p>
      {rich('{name} gets full control of {account}, including deleting it and changing your role.', {
        name: <bdi>{member.name}</bdi>,
        account: <bdi>{account.name}</bdi>,
      })}
    </p>
  ),
})

const transferring = (account: AccountProps, member: MemberProps) => ({
  title: rich('Transfer {account} to {name}?', { account: <bdi>{account.name}</bdi>, name: <bdi>{member.name}</bdi> }),
  action: t('Transfer ownership'),
  onConfirm: () => transferOwnership(account, member),
  explanation: (
    <ul>
      <li>
        {rich('{name} becomes an owner with full control: members and their roles, settings, deletion.', {
          name: <bdi>{member.name}</bdi>,
        })}
      </li>
      <li>
        {t(`You become an admin: you can still manage members and settings, but not delete the workspace or make others
          owners.`)}
      </li>
      <li>{t('Only an owner can make you an owner again.')}</li>
    </ul>
  ),
})

const steppingDown = (account: AccountProps) => ({
  title: rich('Step down as owner of {name}?', { name: <bdi>{account.name}</bdi> }),
  action: t('Step down'),
  explanation: (
    <p>
      {rich('You give up full control of {name}. Only another owner can make you an owner again.', {
        name: <bdi>{account.name}</bdi>,
      })}
    </p>
  ),
})
