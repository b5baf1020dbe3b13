import { router, usePage } from '@inertiajs/react'
import { useEffect } from 'react'
import { owns } from '../../features/accounts/roles.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload, usePresent } from '../live/hooks.ts'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { Invitations } from './invitations.tsx'
import { InviteButton } from './invite-button.tsx'
import { MemberList } from './member-list.tsx'
import { MemberSearch } from './member-search.tsx'

const fewMembers = 10
const everybody = { q: '', role: '', second_factor: '', found: 0 } as const

export default function Members(props: PageProps<'accounts/members'>) {
  const { account, membership, members, search = everybody, invitations = [], can_manage, auth, totals } = props
  const channel = accountChannel(account.slug)
  useLiveReload(channel, { members: ['members', 'invitations', 'invitation_link'], picture: ['members'] })
  const here = new Set(usePresent(channel).map(({ user_id }) => user_id))
  const isSearched = search.q !== '' || search.role !== '' || search.second_factor !== ''
  const hasMore = Boolean(usePage().scrollProps?.members?.nextPage)
  const isWhole = !isSearched && !hasMore
  const owners = members.filter(({ role }) => owns(role)).length

  useEffect(() => {
    if (!isWhole && !totals) router.reload({ only: ['totals'], showProgress: false })
  }, [isWhole, totals])

  return (
    <>
      <div className="heading-bar">
        <Heading title={t('Members')}>{rich('The people in {name}.', { name: workspaceName(account) })}</Heading>
        {can_manage && <InviteButton account={account} />}
      </div>
      {(!isWhole || members.length > fewMembers) && <MemberSearch search={search} isManager={can_manage} />}
      <div className="lists">
        <MemberList
          account={account}
          members={members}
          count={isSearched ? search.found : isWhole ? members.length : totals?.members}
          isSearched={isSearched}
          here={here}
          viewerId={auth.user?.id}
          viewerRole={membership.role}
          isSoleOwner={owns(membership.role) && (isWhole ? owners === 1 : totals?.sole_owner === true)}
        />
        {can_manage && <InvitationLink account={account} link={props.invitation_link ?? null} />}
        {can_manage && <Invitations account={account} invitations={invitations} />}
      </div>
    </>
  )
}

Members.layout = AppLayout
