import { Deferred, Link, router } from '@inertiajs/react'
import { type ReactNode, useEffect, useState } from 'react'
import { manages } from '../../features/accounts/roles.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Button } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'
import { inDigits } from '../words/locale.ts'
import { type Role, roleNames } from '../words/roles.ts'
import { t } from '../words/t.ts'
import { FirstSteps } from './first-steps.tsx'
import { HereNow } from './here-now.tsx'
import { LatestActivity } from './latest-activity.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { mayOffer, PasskeyOffer } from './passkey-offer.tsx'

const meanings: Record<Role, Text> = {
  owner: text('You own this workspace and have full control of it.'),
  admin: text('You manage this workspace and its members.'),
  member: text("You're a member of this workspace."),
}

// What is sent only on request travels with the count, which the client asks for by itself.
router.on('before', ({ detail: { visit } }) => {
  if (String(visit.only) !== 'members_count') return
  const offer = mayOffer() ? ['offer_passkey'] : []
  visit.only = ['members_count', 'first_steps', 'latest_activities', ...offer]
})

// The response may be there before the page is hydrated.
let isLoading = true
router.on('finish', ({ detail: { visit } }) => {
  const isOver = !visit.cancelled && !visit.interrupted // or the person has left
  if (isOver && visit.only.includes('first_steps')) isLoading = false
})

export default function Account(props: PageProps<'accounts/show'>) {
  const { account, membership, members_count, first_steps, latest_activities, auth } = props
  const channel = accountChannel(account.slug)
  const canManage = manages(membership.role)
  useLiveReload(channel, {
    members: ['members_count', 'membership', 'first_steps'],
    ...(canManage && { activity: ['latest_activities'] }),
  })
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    const note = () => setAsked(!isLoading)
    note()
    const stop = router.on('finish', note)
    return () => {
      stop()
      isLoading = true
    }
  }, [])

  return (
    <>
      <div className="account-heading">
        <Avatar name={account.name} picture={account.picture} />
        <Heading title={account.name}>
          {t(meanings[membership.role])}{' '}
          {first_steps?.personal && <span className="badge">{t('Personal workspace')}</span>}
        </Heading>
      </div>
      <OpenInvitations invitations={props.open_invitations} />
      <dl className="facts">
        <Fact name={<Link href={paths.members(account.slug).url}>{t('Members')}</Link>}>
          <Deferred
            data="members_count"
            fallback={
              asked ? (
                <Recount onStart={() => setAsked(false)} />
              ) : (
                <span className="skeleton" role="status" aria-label={t('Counting the members')} />
              )
            }
          >
            {members_count !== undefined && inDigits(members_count)}
          </Deferred>
        </Fact>
        <Fact name={t('Your role')}>{t(roleNames[membership.role])}</Fact>
        <Fact name={t('Address')}>
          <bdi>/{account.slug}</bdi>
        </Fact>
      </dl>
      <div className="account-now">
        <div>
          {props.offer_passkey && <PasskeyOffer />}
          {first_steps && canManage && (
            <FirstSteps account={account} steps={first_steps} verified={auth.user?.verified === true} />
          )}
          {latest_activities && <LatestActivity slug={account.slug} activities={latest_activities} />}
          {canManage && !first_steps && !asked && <Coming />}
        </div>
        <HereNow channel={channel} viewerId={auth.user?.id} />
      </div>
    </>
  )
}

/** Keeps the place of the first steps and the latest activity, so that nothing moves when they arrive. */
const Coming = () => (
  <div className="card account-coming">
    <div className="skeleton" role="status" aria-label={t('Loading the latest activity')} />
  </div>
)

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="card fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Recount = ({ onStart }: { onStart(): void }) => (
  <span className="fact-failure">
    {t('Could not be counted')}
    <Button size="small" onClick={() => router.reload({ only: ['members_count'], onStart })}>
      {t('Try again')}
    </Button>
  </span>
)

Account.layout = AppLayout
