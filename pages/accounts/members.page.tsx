import { router, usePage } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { owns } from '../../features/accounts/rights.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { useFragment } from '../hooks/fragment.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload, usePresent } from '../live/hooks.ts'
import { Heading } from '../shared/heading.tsx'
import { Panels } from '../shared/panels.tsx'
import { plural, rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { Invitations } from './invitations.tsx'
import { InviteButton } from './invite-button.tsx'
import { MemberList } from './member-list.tsx'
import { MemberSearch } from './member-search.tsx'

const few = 10
const everybody = { q: '', role: '', second_factor: '', found: 0, found_invitations: 0 } as const

type List = 'members' | 'invitations'
type Counts = { [Name in List]: number }

export default function Members(props: PageProps<'accounts/members'>) {
  const { account, membership, members, search = everybody, invitations = [], can_manage, auth, totals } = props
  const channel = accountChannel(account.slug)
  const named = useFragment() === 'invitations' ? 'invitations' : 'members' // links of the overview name one of them
  const [chosen, choose] = useState<List>()
  const { scrollProps } = usePage()
  const isSearched = search.q !== '' || search.role !== '' || search.second_factor !== ''
  const isWhole = !isSearched && !scrollProps?.members?.nextPage && !scrollProps?.invitations?.nextPage
  const ofTotals = totals ? ['totals'] : []
  useLiveReload(channel, {
    members: ['members', 'invitations', 'expired_invitations', 'invitation_link', ...ofTotals],
    picture: ['members'],
  })
  const present = new Set(usePresent(channel).map(({ user_id }) => user_id))
  const owners = members.filter(({ role }) => owns(role)).length

  // The list stays after an action, whose answer has no fragment.
  useEffect(() => {
    if (named === 'invitations') choose(named)
  }, [named])
  useEffect(() => {
    if (!isWhole && !totals) router.reload({ only: ['totals'], showProgress: false })
  }, [isWhole, totals])

  const counts: Counts | undefined = isSearched
    ? { members: search.found, invitations: search.found_invitations }
    : isWhole
      ? { members: members.length, invitations: invitations.length }
      : totals
  const shown = can_manage ? (chosen ?? named) : 'members'
  const memberList = (
    <MemberList
      account={account}
      members={members}
      count={counts?.members}
      isSearched={isSearched}
      present={present}
      currentUserId={auth.user?.id}
      currentRole={membership.role}
      isSoleOwner={owns(membership.role) && (isWhole ? owners === 1 : totals?.sole_owner === true)}
    />
  )
  const searchBox = (!isWhole || members.length > few || invitations.length > few) && (
    <MemberSearch search={search} isManager={can_manage} isAboutMembers={shown === 'members'} />
  )

  return (
    <>
      <div className="heading-bar">
        <Heading title={t('Members')}>{rich('The people in {name}.', { name: workspaceName(account) })}</Heading>
        {can_manage && <InviteButton page={props} />}
      </div>
      {can_manage ? (
        <Panels<List>
          label={t('Members and invitations')}
          chosen={shown}
          onChoose={choose}
          panels={[
            {
              name: 'members',
              label: <Counted count={counts?.members}>{t('Members')}</Counted>,
              content: memberList,
            },
            {
              name: 'invitations',
              label: <Counted count={counts?.invitations}>{t('Invitations')}</Counted>,
              content: (
                <Invitations
                  account={account}
                  invitations={invitations}
                  count={counts?.invitations}
                  expired={props.expired_invitations ?? 0}
                  isSearched={search.q !== ''}
                />
              ),
            },
          ]}
        >
          {searchBox}
        </Panels>
      ) : (
        <>
          {searchBox}
          {memberList}
        </>
      )}
      {search.q !== '' && <Elsewhere shown={shown} counts={counts} onChoose={choose} />}
    </>
  )
}

type CountedProps = { count: number | undefined; children: string }

const Counted = ({ count, children }: CountedProps) => (
  <>
    {children} <span className="count">{count}</span>
  </>
)

type ElsewhereProps = { shown: List; counts: Counts | undefined; onChoose(list: List): void }

/** Leads to the other list if only that one has what someone searches for. */
function Elsewhere({ shown, counts, onChoose }: ElsewhereProps) {
  const other = shown === 'members' ? 'invitations' : 'members'
  if (!counts || counts[shown] > 0 || counts[other] === 0) return null
  return (
    <button type="button" className="link" onClick={() => onChoose(other)}>
      {other === 'members'
        ? plural(counts.members, '{count} member matches', '{count} members match')
        : plural(counts.invitations, '{count} invitation matches', '{count} invitations match')}
    </button>
  )
}

Members.layout = AppLayout
