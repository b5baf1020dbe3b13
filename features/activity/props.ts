import type { Activities, ActivityType } from './activities.ts'
import type { Activity } from './lists.ts'

/** What may be said of a type: its own details, and the names that every record holds where there are any. */
export type DetailsOf<Type extends ActivityType> = Omit<Activities[Type], 'userId' | 'actorId' | 'accountId'> & {
  name?: string
  account_name?: string
  /** Of somebody invited. */
  email?: string
}

type Of<Type extends ActivityType> = {
  id: number
  type: Type
  actor_name: string | null
  details: DetailsOf<Type>
  created_at: string
}

/** An activity as everybody may see it who sees it at all. */
export type ActivityProps = { [Type in ActivityType]: Of<Type> }[ActivityType]

/** With where it came from, for nobody but the person who did it. */
export type OwnActivityProps = ActivityProps & { ip_address: string | null; user_agent: string | null }

export const presentActivity = ({ id, type, actorName, details, email, createdAt }: Activity) =>
  ({
    id,
    type,
    actor_name: actorName,
    details: email ? { ...details, email } : details,
    created_at: createdAt.toISOString(),
  }) as ActivityProps // written by `record`, which took what this type declares

export const presentOwnActivity = (activity: Activity, userId: number): OwnActivityProps => {
  // What others do to a person, as giving them a role, they do from where they are. Whom nobody knows, as who guesses a password, is told of.
  const isOthers = activity.actorId !== null && activity.actorId !== userId
  return {
    ...presentActivity(activity),
    ip_address: isOthers ? null : activity.ipAddress,
    user_agent: isOthers ? null : activity.userAgent,
  }
}
