import { Link } from '@inertiajs/react'
import { ShieldCheck } from 'lucide-react'
import type { OwnActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { History } from '../activity/history.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { Facts } from '../shared/facts.tsx'
import { Heading } from '../shared/heading.tsx'
import { Time } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { sentenceToOneself } from '../words/activities.ts'
import { readDevice } from '../words/devices.ts'
import { locale } from '../words/locale.ts'
import { rich, t } from '../words/t.ts'
import { NotYou } from './not-you.tsx'

const kinds = { sign_ins: text('Sign-ins'), security: text('Security'), accounts: text('Workspaces') }

export default function Activity(props: PageProps<'settings/activity'>) {
  const { activities, open_sessions, kind, filters, providers, restored, auth } = props
  const { user } = auth
  const sessions = new Map(open_sessions.map(({ id, activity_id }) => [activity_id, id]))

  return (
    <>
      <Heading title={restored ? t('Your account is yours again') : t('Your activity')}>
        {restored
          ? rich('What happened since your address was changed ({time}), newest first.', {
              time: <Time at={restored.since} />,
            })
          : rich(
              "What you did, and what others did to your account. If something wasn't you, {sessions} and {password}.",
              {
                sessions: (
                  <Link className="link" href={paths.sessions().url}>
                    {t('end all other sessions')}
                  </Link>
                ),
                password: (
                  <Link className="link" href={paths.password().url}>
                    {t('change your password')}
                  </Link>
                ),
              },
            )}
      </Heading>
      {restored && <Ended ways={restored.ended} />}
      <History
        kinds={kinds}
        kind={kind}
        filters={filters}
        people={user ? [{ id: user.id, name: t('you') }] : []}
        page={paths.activity}
        file={paths.activityFile}
        activities={activities}
        sentence={sentenceToOneself(providers)}
        from={(activity: OwnActivityProps) => originOf(activity, sessions.get(activity.id))}
        nothing={t('No activity yet.')}
      />
    </>
  )
}

const Ended = ({ ways }: { ways: string[] }) => (
  <Topic
    icon={ShieldCheck}
    title={t('What was ended')}
    explanation={
      <>
        {t('All devices were signed out, and invitations that were sent since then are withdrawn.')}{' '}
        {ways.length > 0 && t('Removed: {ways}.', { ways: new Intl.ListFormat(locale()).format(ways) })}
      </>
    }
    action={
      <ButtonLink size="small" href={paths.security().url}>
        {t('Set up your sign-in')}
      </ButtonLink>
    }
  />
)

function originOf({ ip_address, user_agent }: OwnActivityProps, session: string | undefined) {
  if (ip_address === null && user_agent === null) return undefined
  const device = readDevice(user_agent).name
  return (
    <Facts>
      {device}
      {ip_address !== null && <bdi>{ip_address}</bdi>}
      {session && <NotYou session={session} device={device} ip={ip_address} />}
    </Facts>
  )
}

Activity.layout = settingsLayouts
