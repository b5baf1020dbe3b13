import { Link } from '@inertiajs/react'
import { may } from '../../features/accounts/rights.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Parts } from '../parts/parts.tsx'
import { Empty } from '../shared/arch.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { Facts } from '../shared/facts.tsx'
import { Heading } from '../shared/heading.tsx'
import { plural, t } from '../words/t.ts'
import { roleIn, workspaceName } from '../words/workspace.tsx'
import { AccountFigures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { HereNow } from './here-now.tsx'
import { LatestActivity } from './latest-activity.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { People } from './people.tsx'
import { TeamQuestion } from './team-question.tsx'

export default function Account(props: PageProps<'accounts/show'>) {
  const { account, membership, members_count, first_steps = [], asks_for_team = false } = props
  const { figures, latest_activities, people, auth } = props
  const isManager = may(membership.role, 'members.manage')
  const channel = accountChannel(account.slug)
  useLiveReload(channel, {
    members: ['members_count', 'membership', 'first_steps', isManager ? 'figures' : 'people'],
    ...(may(membership.role, 'activity.read') && { activity: ['latest_activities'] }),
  })
  const isComing = members_count === undefined
  const isShared = !isComing && (members_count > 1 || (figures?.invitations.open ?? 0) > 0)

  return (
    <>
      <Heading
        title={workspaceName(account)}
        picture={<Avatar of={account.name} name={account.name} picture={account.picture} />}
      >
        <Facts>
          {roleIn(membership.role)}
          <bdi dir="ltr">/{account.slug}</bdi>
          <Link className="link" href={paths.members(account.slug).url}>
            {isComing ? <Counting /> : plural(members_count, '{count} member', '{count} members')}
          </Link>
        </Facts>
      </Heading>
      <OpenInvitations invitations={props.open_invitations} />
      <div className="account-frame">
        <div>
          <Parts
            of="accounts/show:main"
            with={props}
            otherwise={isComing ? <Coming /> : !asks_for_team && <NothingYet />}
          />
          {asks_for_team && <TeamQuestion />}
        </div>
        {/* On a phone it stands below what comes with it, so it comes anew instead of moving. */}
        <div key={isComing ? 'coming' : 'there'}>
          {isComing ? (
            <Coming />
          ) : (
            <>
              <Parts of="accounts/show" with={props} />
              {first_steps.length > 0 && <FirstSteps slug={account.slug} steps={first_steps} />}
              {figures && isShared && <AccountFigures slug={account.slug} figures={figures} members={members_count} />}
              {people && <People slug={account.slug} people={people} members={members_count} />}
              <HereNow channel={channel} currentUserId={auth.user?.id} />
              {latest_activities && <LatestActivity slug={account.slug} activities={latest_activities} />}
            </>
          )}
        </div>
      </div>
    </>
  )
}

const Counting = () => <span className="skeleton" role="status" aria-label={t('Counting the members')} />

/** Keeps the place of what comes all at once, so that nothing moves when it arrives. */
const Coming = () => (
  <div className="card padded account-coming">
    <div className="skeleton" role="status" aria-label={t('Loading the overview')} />
  </div>
)

/** Until a feature of the product has the place (docs/guide.md). */
const NothingYet = () => (
  <section className="card">
    <Empty>
      <h2>{t('Nothing here yet')}</h2>
      <p>{t('What you work on will have its place here.')}</p>
    </Empty>
  </section>
)

Account.layout = AppLayout
