import { Link, router } from '@inertiajs/react'
import { manages } from '../../features/accounts/roles.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Heading } from '../shared/heading.tsx'
import { plural, t } from '../words/t.ts'
import { roleIn, workspaceName } from '../words/workspace.tsx'
import { FirstSteps } from './first-steps.tsx'
import { HereNow } from './here-now.tsx'
import { LatestActivity } from './latest-activity.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { mayOffer, PasskeyOffer } from './passkey-offer.tsx'

// What is sent only on request travels with the count, which the client asks for by itself.
router.on('before', ({ detail: { visit } }) => {
  if (String(visit.only) !== 'members_count') return
  const offer = mayOffer() ? ['offer_passkey'] : []
  visit.only = ['members_count', 'first_steps', 'latest_activities', ...offer]
})

export default function Account(props: PageProps<'accounts/show'>) {
  const { account, membership, members_count, first_steps, latest_activities, auth } = props
  const isManager = manages(membership.role)
  const channel = accountChannel(account.slug)
  useLiveReload(channel, {
    members: ['members_count', 'membership', 'first_steps'],
    ...(isManager && { activity: ['latest_activities'] }),
  })
  const isComing = members_count === undefined

  return (
    <>
      <div className="account-heading">
        <Avatar of={account.name} name={account.name} picture={account.picture} />
        <Heading title={workspaceName(account)}>
          <span className="facts">
            <span>{roleIn(membership.role)}</span>
            <span>
              <bdi dir="ltr">/{account.slug}</bdi>
            </span>
            <span>
              <Link className="link" href={paths.members(account.slug).url}>
                {isComing ? <Counting /> : plural(members_count, '{count} member', '{count} members')}
              </Link>
            </span>
          </span>
        </Heading>
      </div>
      <OpenInvitations invitations={props.open_invitations} />
      <div className="account-now">
        <div>
          {props.offer_passkey && auth.user?.verified && <PasskeyOffer />}
          {first_steps && isManager && <FirstSteps account={account} steps={first_steps} />}
          {latest_activities && <LatestActivity slug={account.slug} activities={latest_activities} />}
          {isManager && isComing && <Coming />}
        </div>
        {/* After what stands above it on a phone, which would push it down. */}
        {!isComing && <HereNow channel={channel} viewerId={auth.user?.id} />}
      </div>
    </>
  )
}

const Counting = () => <span className="skeleton" role="status" aria-label={t('Counting the members')} />

/** Keeps the place of the first steps and the latest activity, so that nothing moves when they arrive. */
const Coming = () => (
  <div className="card padded account-coming">
    <div className="skeleton" role="status" aria-label={t('Loading the latest activity')} />
  </div>
)

Account.layout = AppLayout
