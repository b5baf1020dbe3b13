import { may } from '../../features/accounts/rights.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { History } from '../activity/history.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Heading } from '../shared/heading.tsx'
import { sentenceInAccount } from '../words/activities.ts'
import { byName } from '../words/locale.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'

const kinds = { members: text('Members'), account: text('Workspace') }

export default function Activity(props: PageProps<'accounts/activity'>) {
  const { account, membership, activities, kind, filters, people } = props
  useLiveReload(accountChannel(account.slug), { activity: ['activities'] })

  return (
    <div className="settings-section">
      <Heading title={t('Activity')}>
        {rich('What happened in {name}. Its owners and admins see this page.', { name: workspaceName(account) })}
      </Heading>
      <History
        kinds={kinds}
        kind={kind}
        filters={filters}
        people={choices(people, filters.actor, activities[0]?.actor_name)}
        page={(query) => paths.accountActivity(account.slug, query)}
        file={may(membership.role, 'activity.export') && ((query) => paths.accountActivityFile(account.slug, query))}
        activities={activities}
        sentence={sentenceInAccount}
        hasActors
        nothing={t('No activity yet. Changes will appear here.')}
      />
    </div>
  )
}

/** By name. The person searched for is among them, even after they left. */
function choices(people: { id: number; name: string }[], actor: number | null, name: string | null | undefined) {
  const isMissing = actor !== null && people.every(({ id }) => id !== actor)
  const all = isMissing ? [...people, { id: actor, name: name ?? t('someone who left') }] : [...people]
  return all.sort(byName)
}

Activity.layout = AppLayout
