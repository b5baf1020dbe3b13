import { Link } from '@inertiajs/react'
import type { OwnActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { History } from '../activity/history.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Facts } from '../shared/facts.tsx'
import { Heading } from '../shared/heading.tsx'
import { sentenceToOneself } from '../words/activities.ts'
import { readDevice } from '../words/devices.ts'
import { rich, t } from '../words/t.ts'
import { NotYou } from './not-you.tsx'

const kinds = { sign_ins: text('Sign-ins'), security: text('Security'), accounts: text('Workspaces') }

export default function Activity(props: PageProps<'settings/activity'>) {
  const { activities, open_sessions, kind, filters, providers, auth } = props
  const { user } = auth
  const sessions = new Map(open_sessions.map(({ id, activity_id }) => [activity_id, id]))

  return (
    <>
      <Heading title={t('Your activity')}>
        {rich(
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
