import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { governs, owns } from '../../features/accounts/roles.ts'
import { Ask, type Decision } from '../popups/ask.tsx'
import { Menu, MenuAction, MenuChoice, MenuSeparator } from '../popups/menu.tsx'
import { Name } from '../shared/name.tsx'
import { type Role, roleNames, roleOffers } from '../words/roles.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { changeRole, leave, remove, transferOwnership } from './member-actions.ts'

export type Viewer = {
  viewerId: number | undefined
  viewerRole: Role
  /** A sole owner cannot leave. */
  isSoleOwner: boolean
}
type Place = { account: AccountProps; member: MemberProps }
type Props = Place & Viewer & { isViewer: boolean }

/**
 * What the viewer can do with a member. Asks first if the person who makes the change cannot undo it.
 */
export function MemberMenu({ account, member, isViewer, viewerRole, isSoleOwner }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [decision, setDecision] = useState<Decision>()
  const isOwner = owns(viewerRole)
  const canChange = governs(viewerRole, member.role)
  if (!canChange && !isViewer) return null

  const choose = (role: Role) => {
    if (role === member.role) return
    const stepsDown = isViewer && owns(member.role)
    const onConfirm = () => changeRole(account, member, role, { canUndo: !stepsDown })
    if (owns(role)) setDecision({ ...makingOwner(account, member), onConfirm })
    else if (stepsDown) setDecision({ ...steppingDown(account), onConfirm })
    else onConfirm()
  }
  const offers = (Object.keys(roleOffers) as Role[])
    .filter((role) => isOwner || !owns(role))
    .map((role) => ({
      value: role,
      isApart: owns(role),
      content: <Offer name={t(roleNames[role])} meaning={t(roleOffers[role])} />,
    }))

  return (
    <>
      <Menu
        align="end"
        trigger={
          <button type="button" ref={button} className="button button-small button-quiet">
            <span className="visually-hidden">{rich('Actions for {name}', { name: <bdi>{member.name}</bdi> })}</span>
            <Ellipsis aria-hidden="true" />
          </button>
        }
      >
        {canChange && (
          <>
            <MenuChoice label={t('Role')} value={member.role} options={offers} onChange={choose} closes />
            <MenuSeparator />
          </>
        )}
        {isOwner && !isViewer && (
          <MenuAction onClick={() => setDecision(transferring(account, member))}>
            <Offer name={t('Transfer ownership…')} meaning={t('They become an owner, and you an admin')} />
          </MenuAction>
        )}
        {!isViewer && (
          <MenuAction onClick={() => setDecision(removing(account, member))}>{t('Remove from workspace…')}</MenuAction>
        )}
        {isViewer && !isSoleOwner && (
          <MenuAction onClick={() => setDecision(leaving(account, member))}>{t('Leave workspace…')}</MenuAction>
        )}
        {isViewer && isSoleOwner && (
          <p className="menu-note">
            {t("You can't leave because you're the only owner. Make someone else an owner first.")}
          </p>
        )}
      </Menu>
      {decision && <Ask {...decision} finalFocus={button} onClose={() => setDecision(undefined)} />}
    </>
  )
}

const Offer = ({ name, meaning }: { name: string; meaning: string }) => (
  <span className="role-offer">
    {name}
    <span>{meaning}</span>
  </span>
)

const placeOf = (account: AccountProps) => <bdi>{workspaceName(account)}</bdi>

const makingOwner = (account: AccountProps, { name }: MemberProps) => ({
  title: rich('Make {name} an owner?', { name: <bdi>{name}</bdi> }),
  action: t('Make owner'),
  explanation: (
    <p>
      {rich('{name} gets full control of {account}, including deleting it and changing your role.', {
        name: <bdi>{name}</bdi>,
        account: placeOf(account),
      })}
    </p>
  ),
})

const transferring = (account: AccountProps, member: MemberProps) => ({
  title: rich('Transfer {account} to {name}?', { account: placeOf(account), name: <bdi>{member.name}</bdi> }),
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
  title: rich('Step down as owner of {name}?', { name: placeOf(account) }),
  action: t('Step down'),
  explanation: (
    <p>
      {rich('You give up full control of {name}. Only another owner can make you an owner again.', {
        name: placeOf(account),
      })}
    </p>
  ),
})

const removing = (account: AccountProps, member: MemberProps) => ({
  title: rich('Remove {name}?', { name: <Name>{member.name}</Name> }),
  action: t('Remove'),
  onConfirm: () => remove(account, member),
  explanation: (
    <p>
      {rich('{name} ({email}) loses access to {account} right away and needs a new invitation to come back.', {
        name: <Name>{member.name}</Name>,
        email: <bdi>{member.email}</bdi>,
        account: placeOf(account),
      })}
    </p>
  ),
})

const leaving = (account: AccountProps, member: MemberProps) => ({
  title: rich('Leave {name}?', { name: placeOf(account) }),
  action: t('Leave workspace'),
  onConfirm: () => leave(account, member),
  explanation: (
    <p>
      {rich('You lose access to {name} right away and need a new invitation to come back. Everyone else stays.', {
        name: placeOf(account),
      })}
    </p>
  ),
})
