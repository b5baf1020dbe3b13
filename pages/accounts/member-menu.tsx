import { useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { governs, may, owns } from '../../features/accounts/rights.ts'
import { Ask, type Decision } from '../popups/dialog.tsx'
import { Menu, MenuAction, MenuChoice, MenuSeparator, MoreButton } from '../popups/menu.tsx'
import { t } from '../words/t.ts'
import { type Role, roleIn, roleOffers } from '../words/workspace.tsx'
import { changeRole, leave, remove } from './member-actions.ts'
import { type Question, questionsAbout } from './member-questions.tsx'
import { Ownership, type OwnershipChange } from './ownership.tsx'

export type CurrentUser = {
  currentUserId: number | undefined
  currentRole: Role
  /** A sole owner cannot leave. */
  isSoleOwner: boolean
}
type Place = { account: AccountProps; member: MemberProps }
type Props = Place & CurrentUser & { isCurrentUser: boolean }

/**
 * What the current user can do with a member. Asks first if the person who makes the change cannot undo it.
 */
export function MemberMenu({ account, member, isCurrentUser, currentRole, isSoleOwner }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [decision, setDecision] = useState<Decision>()
  const [ownership, setOwnership] = useState<OwnershipChange>()
  const managesOwners = may(currentRole, 'owners.manage')
  const canChange = governs(currentRole, member.role)
  if (!canChange && !isCurrentUser) return null

  const ask = (question: Question, onConfirm: () => void) =>
    setDecision({ ...questionsAbout(account, member)[question], onConfirm })
  const choose = (role: Role) => {
    if (role === member.role) return
    if (owns(role)) return setOwnership({ question: 'makeOwner' })
    if (!owns(member.role)) return changeRole(account, member, role)
    if (!isCurrentUser) return setOwnership({ question: 'demote', role })
    ask('stepDown', () => changeRole(account, member, role, { canUndo: false }))
  }
  const askForRemoval = () =>
    owns(member.role) ? setOwnership({ question: 'remove' }) : ask('remove', () => remove(account, member))
  const offers = (Object.keys(roleOffers) as Role[])
    .filter((role) => managesOwners || !owns(role))
    .map((role) => ({
      value: role,
      isApart: owns(role),
      content: <Offer name={roleIn(role)} meaning={t(roleOffers[role])} />,
    }))

  return (
    <>
      <Menu align="end" trigger={<MoreButton ref={button} name={member.name} />}>
        {canChange && (
          <>
            <MenuChoice label={t('Role')} value={member.role} options={offers} onChange={choose} closes />
            <MenuSeparator />
          </>
        )}
        {managesOwners && !isCurrentUser && (
          <MenuAction onClick={() => setOwnership({ question: 'transfer' })}>
            <Offer name={t('Transfer ownership…')} meaning={t('They become an owner, and you an admin')} />
          </MenuAction>
        )}
        {!isCurrentUser && <MenuAction onClick={askForRemoval}>{t('Remove from workspace…')}</MenuAction>}
        {isCurrentUser && !isSoleOwner && (
          <MenuAction onClick={() => ask('leave', () => leave(account, member))}>{t('Leave workspace…')}</MenuAction>
        )}
        {isCurrentUser && isSoleOwner && (
          <p className="menu-note">
            {t("You can't leave because you're the only owner. Make someone else an owner first.")}
          </p>
        )}
      </Menu>
      {decision && <Ask {...decision} finalFocus={button} onClose={() => setDecision(undefined)} />}
      {ownership && (
        <Ownership
          change={ownership}
          account={account}
          member={member}
          finalFocus={button}
          onClose={() => setOwnership(undefined)}
        />
      )}
    </>
  )
}

const Offer = ({ name, meaning }: { name: string; meaning: string }) => (
  <span className="role-offer">
    {name}
    <span>{meaning}</span>
  </span>
)
