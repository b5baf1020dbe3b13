import { memo } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Name } from '../shared/name.ts'
import { Day } from '../shared/time.tsx'
import { roleNames } from '../words/roles.ts'
import { t } from '../words/t.ts'
import { rowOf } from './member-actions.ts'
import { MemberMenu, type Viewer } from './member-menu.tsx'

type Props = Viewer & { account: AccountProps; member: MemberProps; isHere: boolean }

// Memoized, because a long list would render every row on each change.
export const MemberRow = memo(function MemberRow({ account, member, isHere, ...viewer }: Props) {
  const { id, user_id, name, email, picture, role, second_factor, joined_at } = member
  const isViewer = user_id === viewer.viewerId

  return (
    <tr id={rowOf(id)} data-row tabIndex={-1}>
      <td>
        <div className="person">
          <Avatar of={user_id} name={name} picture={picture} round />
          <div className="row-text">
            <strong>
              <Name>{name}</Name> {isViewer && <span className="badge">{t('you')}</span>}
              {isHere && !isViewer && <span className="badge badge-here">{t('Here now')}</span>}
            </strong>
            <bdi className="person-email">{email}</bdi>
          </div>
        </div>
      </td>
      <td>{t(roleNames[role])}</td>
      {second_factor !== undefined && (
        <td data-label={t('Second factor')}>{second_factor ? t('Yes') : <span className="muted">{t('No')}</span>}</td>
      )}
      <td data-label={t('Joined')}>
        <Day at={joined_at} />
      </td>
      <td>
        <MemberMenu account={account} member={member} isViewer={isViewer} {...viewer} />
      </td>
    </tr>
  )
})
