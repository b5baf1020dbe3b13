import { Link } from '@inertiajs/react'
import type { ActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import { ActivityRow } from '../activity/activity-list.tsx'
import { Time } from '../shared/time.tsx'
import { sentenceInAccount } from '../words/activities.ts'
import { t } from '../words/t.ts'

type Props = { slug: string; activities: ActivityProps[] }

export const LatestActivity = ({ slug, activities }: Props) => (
  <section className="card padded latest-activity" aria-labelledby="latest-activity">
    <h2 id="latest-activity">{t('Latest activity')}</h2>
    {activities.length === 0 ? (
      <p>{t('No activity yet. Changes will appear here.')}</p>
    ) : (
      <>
        <ul>
          {activities.map((activity) => (
            <ActivityRow
              key={activity.id}
              activity={activity}
              hasActors
              time={<Time at={activity.created_at} relative />}
            >
              <p>{sentenceInAccount(activity)}</p>
            </ActivityRow>
          ))}
        </ul>
        <Link className="link" href={paths.accountActivity(slug).url}>
          {t('All activity')}
        </Link>
      </>
    )}
  </section>
)
