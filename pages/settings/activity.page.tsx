import { Link } from '@inertiajs/react'
import type { OwnActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { History } from '../activity/history.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Heading } from '../shared/heading.tsx'
import { sentenceToOneself } from '../words/activities.ts'
import { readDevice } from '../words/devices.ts'
import { rich, t } from '../words/t.ts'

const kinds = { sign_ins: text('Sign-ins'), security: text('Security'), accounts: text('Workspaces') }

export default function Activity({ activities, kind, filters, providers, auth }: PageProps<'settings/activity'>) {
  const { user } = auth

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
        from={Origin}
        nothing={t('No activity yet.')}
      />
    </>
  )
}

function Origin({ ip_address, user_agent }: OwnActivityProps) {
  if (ip_address === null && user_agent === null) return null
  return (
    <>
      <span>{readDevice(user_agent).name}</span>
      {ip_address !== null && (
        <span>
          <bdi>{ip_address}</bdi>
        </span>
      )}
    </>
  )
}

Activity.layout = settingsLayouts
