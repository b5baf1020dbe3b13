import { memo } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { may } from '../../features/accounts/rights.ts'
import { Parts, useHasSecondFactors } from '../parts/parts.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { More } from '../shared/more.tsx'
import { Name } from '../shared/name.ts'
import { Ago, Day } from '../shared/time.tsx'
import { t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { rowOf } from './member-actions.ts'
import { type CurrentUser, MemberMenu } from './member-menu.tsx'

type Props = CurrentUser & {
  account: AccountProps
  members: MemberProps[]
  /** The total, loaded or not. Undefined until it has been loaded. */
  count: number | undefined
  isSearched: boolean
  present: Set<number>
}

export function MemberList({ members, count, isSearched, present, ...currentUser }: Props) {
  const isManager = may(currentUser.currentRole, 'members.manage')
  const hasFactors = useHasSecondFactors()

  return (
    <section className="list" aria-label={t('Members')}>
      <p className="list-hint" role="status">
        {count === 0 && t('No members match. Try a shorter search or other filters.')}
        {count !== undefined && count > 0 && isSearched && t('{count} found', { count })}
      </p>
      {members.length > 0 && (
        <div className="card">
          <table className="people">
            <thead>
              <tr>
                <th scope="col">{t('Name')}</th>
                <th scope="col">{t('Role')}</th>
                {isManager && hasFactors && <th scope="col">{t('Second factor')}</th>}
                {isManager && <th scope="col">{t('Last active')}</th>}
                <th scope="col">{t('Joined')}</th>
                <th scope="col">
                  <span className="visually-hidden">{t('Actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {members.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  isHere={present.has(member.user_id)}
                  hasFactors={hasFactors}
                  {...currentUser}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {members.length === 1 && count === 1 && !isSearched && (
        <p className="list-hint">{t("It's just you so far. Nobody else can see this workspace.")}</p>
      )}
      <More of="members" shown={members.length} />
    </section>
  )
}

type RowProps = CurrentUser & { account: AccountProps; member: MemberProps; isHere: boolean; hasFactors: boolean }

// Memoized, because a long list would render every row on each change.
const MemberRow = memo(function MemberRow({ account, member, isHere, hasFactors, ...currentUser }: RowProps) {
  const { id, user_id, name, email, picture, role, second_factor, last_seen_at, joined_at } = member
  const isCurrentUser = user_id === currentUser.currentUserId

  return (
    <tr id={rowOf(id)} data-row tabIndex={-1}>
      <td>
        <div className="person">
          <Avatar of={user_id} name={name} picture={picture} round />
          <div className="row-text">
            <strong>
              <Name>{name}</Name> {isCurrentUser && <span className="badge">{t('you')}</span>}
              <Parts of="accounts/members:member" with={member} />
              {isHere && !isCurrentUser && <span className="badge badge-here">{t('Here now')}</span>}
            </strong>
            <bdi className="person-email">{email}</bdi>
          </div>
        </div>
      </td>
      <td>{roleIn(role)}</td>
      {hasFactors && second_factor !== undefined && (
        <td data-label={t('Second factor')}>{second_factor ? t('Yes') : <span className="muted">{t('No')}</span>}</td>
      )}
      {last_seen_at !== undefined && (
        <td data-label={t('Last active')}>
          {last_seen_at ? <Ago at={last_seen_at} /> : <span className="muted">{t('never')}</span>}
        </td>
      )}
      <td data-label={t('Joined')}>
        <Day at={joined_at} />
      </td>
      <td>
        <MemberMenu account={account} member={member} isCurrentUser={isCurrentUser} {...currentUser} />
      </td>
    </tr>
  )
})
