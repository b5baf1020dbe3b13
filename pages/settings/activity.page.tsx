import type { OwnActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { ActivityList } from '../activity/activity-list.tsx'
import { Filters } from '../activity/filters.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { Heading } from '../shared/heading.tsx'
import { sayToOneself } from '../words/activities.tsx'
import { readDevice } from '../words/devices.ts'

const kinds = { sign_ins: 'Sign-ins', security: 'Security', accounts: 'Workspaces' }

export default function Activity({ activities, kind }: PageProps<'settings/activity'>) {
  return (
    <>
      <Heading title="Activity">
        What you did, and what was done to you. If something was not you, end all other sessions and change your
        password.
      </Heading>
      <Filters kinds={kinds} chosen={kind} to={paths.activity} />
      <ActivityList
        activities={activities}
        say={sayToOneself}
        from={Origin}
        nothing={kind ? 'Nothing of this kind has happened yet.' : 'Nothing has happened yet.'}
      />
    </>
  )
}

function Origin({ ip_address, user_agent }: OwnActivityProps) {
  if (ip_address === null && user_agent === null) return null
  return (
    <>
      {' '}
      from {readDevice(user_agent).name}
      {ip_address && <>, {ip_address}</>}
    </>
  )
}

Activity.layout = [AppLayout, SettingsLayout]
