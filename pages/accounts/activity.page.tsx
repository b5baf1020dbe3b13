import { Download } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { ActivityList } from '../activity/activity-list.tsx'
import { Filters } from '../activity/filters.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Heading } from '../shared/heading.tsx'
import { sayInAccount } from '../words/activities.tsx'

const kinds = { members: 'Members', account: 'Workspace' }

export default function Activity({ account, membership, activities, kind }: PageProps<'accounts/activity'>) {
  useLiveReload(accountChannel(account.slug), { activity: ['activities'] })

  return (
    <div className="account-activity">
      <Heading title="Activity">
        What happened in <bdi>{account.name}</bdi>. Its owners and admins see this.
      </Heading>
      <div className="activity-bar">
        <Filters kinds={kinds} chosen={kind} to={(chosen) => paths.accountActivity(account.slug, chosen)} />
        {membership.role === 'owner' && (
          <a
            className="button button-secondary button-small"
            href={paths.accountActivityFile(account.slug).url}
            download
          >
            <Download aria-hidden="true" /> Download CSV
          </a>
        )}
      </div>
      <ActivityList
        activities={activities}
        say={sayInAccount}
        hasActors
        nothing={
          kind
            ? 'Nothing of this kind has happened yet.'
            : 'Nothing has happened yet. What changes from now on is listed here.'
        }
      />
    </div>
  )
}

Activity.layout = AppLayout
