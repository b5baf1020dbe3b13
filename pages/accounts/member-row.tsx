import { memo } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Button } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { type Role, roleNames } from '../words/roles.ts'
import { Confirmation } from './confirmation.tsx'
import { changeRole, leave, remove } from './member-actions.ts'
import { RoleMenu } from './role-menu.tsx'

export type Viewer = { viewerId: number | undefined; viewerRole: Role }
type Place = { account: AccountProps; member: MemberProps }

// Remembered: more rows can be on the page than one would like to render for each that changes.
export const MemberRow = memo(function MemberRow(props: Place & Viewer & { isHere: boolean }) {
  const { account, member, isHere, viewerId, viewerRole } = props
  const isViewer = member.user_id === viewerId
  const governs = viewerRole === 'owner' || (viewerRole === 'admin' && member.role !== 'owner')

  return (
    <li className="row person" tabIndex={-1}>
      <Avatar name={member.name} round />
      <div className="row-text">
        <strong>
          <bdi>{member.name}</bdi> {isViewer && <span className="badge">You</span>}
          {isHere && !isViewer && <span className="badge badge-here">Here now</span>}
        </strong>
        <span>{member.email}</span>
        <span>
          Joined <Day at={member.joined_at} />
        </span>
      </div>
      <div className="row-actions">
        {governs ? (
          <RoleMenu
            member={member}
            canMakeOwners={viewerRole === 'owner'}
            onChoose={(role) => changeRole(account, member, role)}
          />
        ) : (
          <span className="role">{roleNames[member.role]}</span>
        )}
        {isViewer ? (
          <Leaving account={account} member={member} />
        ) : (
          governs && <Removal account={account} member={member} />
        )}
      </div>
    </li>
  )
})

const Removal = ({ account, member }: Place) => (
  <Confirmation
    trigger={
      <Button size="small">
        Remove<span className="visually-hidden"> {member.name}</span>
      </Button>
    }
    title="Remove member?"
    explanation={
      <p>
        <bdi>{member.name}</bdi> ({member.email}) loses access to <bdi>{account.name}</bdi> at once, and needs a new
        invitation to come back.
      </p>
    }
    action="Remove"
    onConfirm={() => remove(account, member)}
  />
)

const Leaving = ({ account, member }: Place) => (
  <Confirmation
    trigger={<Button size="small">Leave account</Button>}
    title="Leave this account?"
    explanation={
      <p>
        You lose access to <bdi>{account.name}</bdi> at once, and need a new invitation to come back. Everybody else
        stays.
      </p>
    }
    action="Leave account"
    onConfirm={() => leave(account, member)}
  />
)
