import { Link } from '@inertiajs/react'
import type { ActivityProps } from '../../features/activity/props.ts'
import { paths } from '../../features/paths.ts'
import { iconOf } from '../activity/icons.ts'
import { Avatar } from '../shared/avatar.tsx'
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
            <ActivityItem key={activity.id} {...activity} />
          ))}
        </ul>
        <Link className="link" href={paths.accountActivity(slug).url}>
          {t('All activity')}
        </Link>
      </>
    )}
  </section>
)

function ActivityItem(activity: ActivityProps) {
  const Icon = iconOf(activity.type)
  return (
    <li>
      {activity.picture ? (
        <Avatar of={activity.id} name={activity.actor_name ?? ''} picture={activity.picture} round />
      ) : (
        <Icon aria-hidden="true" />
      )}
      <p>{sentenceInAccount(activity)}</p>
      <Time at={activity.created_at} relative />
    </li>
  )
}
