import { memo, useId } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { governs, owns } from '../../features/accounts/roles.ts'
import { Ask } from '../popups/ask.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { Button } from '../shared/button.tsx'
import { Name } from '../shared/name.tsx'
import { Day } from '../shared/time.tsx'
import { type Role, roleNames } from '../words/roles.ts'
import { rich, t } from '../words/t.ts'
import { leave, remove, rowOf } from './member-actions.ts'
import { RoleMenu } from './role-menu.tsx'

export type Viewer = {
  viewerId: number | undefined
  viewerRole: Role
  /** A sole owner cannot leave. */
  isSoleOwner: boolean
}
type Place = { account: AccountProps; member: MemberProps }

// Memoized, because a long list would render every row on each change.
export const MemberRow = memo(function MemberRow(props: Place & Viewer & { isHere: boolean }) {
  const { account, member, isHere, viewerId, viewerRole, isSoleOwner } = props
  const why = useId()
  const isViewer = member.user_id === viewerId
  const canChange = governs(viewerRole, member.role)

  return (
    <li className="row person" id={rowOf(member.id)} tabIndex={-1}>
      <Avatar name={member.name} picture={member.picture} round />
      <div className="row-text">
        <strong>
          <Name>{member.name}</Name> {isViewer && <span className="badge">{t('You')}</span>}
          {isHere && !isViewer && <span className="badge badge-here">{t('Here now')}</span>}
        </strong>
        <span>
          <bdi>{member.email}</bdi>
        </span>
        {member.second_factor === false && <span>{t('Signs in with only a password')}</span>}
        {isViewer && isSoleOwner && (
          <span id={why}>{t("You can't leave because you're the only owner. Make someone else an owner first.")}</span>
        )}
      </div>
      <div className="person-joined">{rich('Joined {day}', { day: <Day at={member.joined_at} /> })}</div>
      <div className="person-role">
        {canChange ? (
          <RoleMenu account={account} member={member} isViewer={isViewer} canMakeOwners={owns(viewerRole)} />
        ) : (
          <span className="role">{t(roleNames[member.role])}</span>
        )}
      </div>
      <div className="person-end">
        {isViewer && (isSoleOwner ? <CannotLeave why={why} /> : <Leaving account={account} member={member} />)}
        {!isViewer && canChange && <Removal account={account} member={member} />}
      </div>
    </li>
  )
})

const Removal = ({ account, member }: Place) => (
  <Ask
    trigger={
      <Button size="small">
        {rich('Remove {what}', { what: <bdi className="visually-hidden">{member.name}</bdi> })}
      </Button>
    }
    title={rich('Remove {name}?', { name: <Name>{member.name}</Name> })}
    explanation={
      <p>
        {rich('{name} ({email}) loses access to {account} right away and needs a new invitation to come back.', {
          name: <Name>{member.name}</Name>,
          email: <bdi>{member.email}</bdi>,
          account: <bdi>{account.name}</bdi>,
        })}
      </p>
    }
    action={t('Remove')}
    onConfirm={() => remove(account, member)}
  />
)

const Leaving = ({ account, member }: Place) => (
  <Ask
    trigger={
      <Button size="small">
        {rich('Leave {what}', { what: <span className="visually-hidden">{t('workspace')}</span> })}
      </Button>
    }
    title={rich('Leave {name}?', { name: <bdi>{account.name}</bdi> })}
    explanation={
      <p>
        {rich('You lose access to {name} right away and need a new invitation to come back. Everyone else stays.', {
          name: <bdi>{account.name}</bdi>,
        })}
      </p>
    }
    action={t('Leave workspace')}
    onConfirm={() => leave(account, member)}
  />
)

// Uses aria-disabled: a disabled button cannot be focused, so keyboard users could not find out why.
const CannotLeave = ({ why }: { why: string }) => (
  <Button size="small" aria-disabled aria-describedby={why}>
    {rich('Leave {what}', { what: <span className="visually-hidden">{t('workspace')}</span> })}
  </Button>
)
