import { useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { governs, owns } from '../../features/accounts/roles.ts'
import { Ask, type Decision } from '../popups/dialog.tsx'
import { Menu, MenuAction, MenuChoice, MenuSeparator, MoreButton } from '../popups/menu.tsx'
import { t } from '../words/t.ts'
import { type Role, roleIn, roleOffers } from '../words/workspace.tsx'
import { changeRole, leave, remove } from './member-actions.ts'
import { type Question, questionsAbout } from './member-questions.tsx'
import { NewOwner, type Way } from './new-owner.tsx'

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
  const [newOwner, setNewOwner] = useState<Way>()
  const isOwner = owns(viewerRole)
  const canChange = governs(viewerRole, member.role)
  if (!canChange && !isViewer) return null

  const ask = (question: Question, onConfirm: () => void) =>
    setDecision({ ...questionsAbout(account, member)[question], onConfirm })
  const choose = (role: Role) => {
    if (role === member.role) return
    if (owns(role)) return setNewOwner('makeOwner')
    const onConfirm = () => changeRole(account, member, role, { canUndo: !owns(member.role) })
    if (owns(member.role)) ask(isViewer ? 'stepDown' : 'demote', onConfirm)
    else onConfirm()
  }
  const offers = (Object.keys(roleOffers) as Role[])
    .filter((role) => isOwner || !owns(role))
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
        {isOwner && !isViewer && (
          <MenuAction onClick={() => setNewOwner('transfer')}>
            <Offer name={t('Transfer ownership…')} meaning={t('They become an owner, and you an admin')} />
          </MenuAction>
        )}
        {!isViewer && (
          <MenuAction onClick={() => ask('remove', () => remove(account, member))}>
            {t('Remove from workspace…')}
          </MenuAction>
        )}
        {isViewer && !isSoleOwner && (
          <MenuAction onClick={() => ask('leave', () => leave(account, member))}>{t('Leave workspace…')}</MenuAction>
        )}
        {isViewer && isSoleOwner && (
          <p className="menu-note">
            {t("You can't leave because you're the only owner. Make someone else an owner first.")}
          </p>
        )}
      </Menu>
      {decision && <Ask {...decision} finalFocus={button} onClose={() => setDecision(undefined)} />}
      {newOwner && (
        <NewOwner
          way={newOwner}
          account={account}
          member={member}
          finalFocus={button}
          onClose={() => setNewOwner(undefined)}
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
