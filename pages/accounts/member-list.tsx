import { useRef } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { manages } from '../../features/accounts/roles.ts'
import { More } from '../shared/more.tsx'
import { plural, t } from '../words/t.ts'
import type { Viewer } from './member-menu.tsx'
import { MemberRow } from './member-row.tsx'

type Props = Viewer & {
  account: AccountProps
  members: MemberProps[]
  /** The total, loaded or not. Undefined until it has been loaded. */
  count: number | undefined
  isSearched: boolean
  here: Set<number>
}

export function MemberList({ account, members, count, isSearched, here, ...viewer }: Props) {
  const rows = useRef<HTMLTableElement>(null)
  const isManager = manages(viewer.viewerRole)

  return (
    <section className="list" aria-label={t('Members')}>
      <p className="list-hint" role="status">
        {count !== undefined &&
          (isSearched ? t('{count} found', { count }) : plural(count, '{count} person', '{count} people'))}
      </p>
      {members.length > 0 && (
        <div className="card">
          <table className="people" ref={rows}>
            <thead>
              <tr>
                <th scope="col">{t('Name')}</th>
                <th scope="col">{t('Role')}</th>
                {isManager && <th scope="col">{t('Second factor')}</th>}
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
                  account={account}
                  member={member}
                  isHere={here.has(member.user_id)}
                  {...viewer}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {members.length === 1 && count === 1 && !isSearched && (
        <p className="list-hint">{t("It's just you so far. Nobody else can see this workspace.")}</p>
      )}
      {members.length === 0 && (
        <p className="list-hint">{t('No members match. Try a shorter search or other filters.')}</p>
      )}
      <More of="members" shown={members.length} rows={rows} />
    </section>
  )
}
