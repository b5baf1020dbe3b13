import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload, usePresence } from '../live/hooks.ts'
import { Heading } from '../shared/heading.tsx'
import { Invitations } from './invitations.tsx'
import { MemberList } from './member-list.tsx'

export default function Members(props: PageProps<'accounts/members'>) {
  const { account, membership, members, invitations = [], can_manage, auth } = props
  const channel = accountChannel(account.slug)
  useLiveReload(channel, { members: ['members', 'invitations'] })
  const here = new Set(usePresence(channel).map(({ user_id }) => user_id))

  return (
    <>
      <Heading title="Members">
        Who belongs to <bdi>{account.name}</bdi>.
      </Heading>
      <div className="people">
        {can_manage && <Invitations account={account} invitations={invitations} />}
        <MemberList
          account={account}
          members={members}
          here={here}
          viewerId={auth.user?.id}
          viewerRole={membership.role}
        />
      </div>
    </>
  )
}

Members.layout = AppLayout
