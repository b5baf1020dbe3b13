import type { ReactNode } from 'react'
import type { ActivityProps } from '../../features/activity/props.ts'
import { useHydrated } from '../hooks/store.ts'
import { Empty } from '../shared/arch.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { More } from '../shared/more.tsx'
import { Clock, formatsOf } from '../shared/time.tsx'
import { t } from '../words/t.ts'
import { iconOf } from './icons.ts'

export type ListProps<A> = {
  activities: A[]
  sentence(activity: A): ReactNode
  from?(activity: A): ReactNode
  nothing: string
  hasActors?: boolean
}

export function ActivityList<A extends ActivityProps>(props: ListProps<A>) {
  const { activities, sentence, from, nothing, hasActors = false } = props
  const isHydrated = useHydrated()

  if (activities.length === 0)
    return (
      <div className="card">
        <Empty>
          <p>{nothing}</p>
        </Empty>
      </div>
    )

  return (
    <section className="activity" aria-label={t('Activity')}>
      {daysOf(activities, isHydrated).map(([day, activitiesOfDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="activity-day">{day}</h2>
          <ul className="card rows">
            {activitiesOfDay.map((activity) => (
              <ActivityRow
                key={activity.id}
                activity={activity}
                hasActors={hasActors}
                time={<Clock at={activity.created_at} />}
              >
                <p>{sentence(activity)}</p>
                {from?.(activity)}
              </ActivityRow>
            ))}
          </ul>
        </section>
      ))}
      <More of="activities" shown={activities.length} />
    </section>
  )
}

type RowProps = { activity: ActivityProps; hasActors: boolean; time: ReactNode; children: ReactNode }

export function ActivityRow({ activity, hasActors, time, children }: RowProps) {
  const Icon = iconOf(activity.type)
  return (
    <li className="activity-row" data-row tabIndex={-1}>
      {hasActors && activity.picture ? (
        <Avatar of={activity.id} name={activity.actor_name ?? ''} picture={activity.picture} round />
      ) : (
        <Icon />
      )}
      <div className="activity-text">{children}</div>
      {time}
    </li>
  )
}

function daysOf<A extends ActivityProps>(activities: A[], isHydrated: boolean) {
  const days = new Map<string, A[]>()
  for (const activity of activities) {
    const day = dayOf(new Date(activity.created_at), isHydrated)
    days.set(day, [...(days.get(day) ?? []), activity])
  }
  return [...days]
}

const format = formatsOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

function dayOf(moment: Date, isHydrated: boolean) {
  const day = format(isHydrated).format(moment)
  if (!isHydrated) return day // the server does not know which day is today
  const today = new Date()
  if (day === format(true).format(today)) return t('Today')
  today.setDate(today.getDate() - 1)
  return day === format(true).format(today) ? t('Yesterday') : day
}
