import { picturePath } from '../../plugins/composition.ts'
import type { Activities, ActivityType } from './activities.ts'
import type { Activity } from './lists.ts'

/** The details of a type: those it declares, and the names that are stored with every record. */
export type DetailsOf<Type extends ActivityType> = Omit<Activities[Type], 'userId' | 'actorId' | 'accountId'> & {
  name?: string
  account_name?: string
  email?: string
  /** Without a `token_name`, that of the program that did it, which may be called like a person. */
  token_id?: number
}

type Of<Type extends ActivityType> = {
  id: number
  type: Type
  actor_name: string | null
  picture: string | null
  details: DetailsOf<Type>
  created_at: string
}

export type ActivityProps = { [Type in ActivityType]: Of<Type> }[ActivityType]

/** With IP address and browser, only for the person who did it. */
export type OwnActivityProps = ActivityProps & { ip_address: string | null; user_agent: string | null }

export const presentActivity = ({ id, type, actorName, picture, details, email, createdAt }: Activity) =>
  ({
    id,
    type,
    actor_name: actorName,
    picture: picturePath(picture),
    details: email ? { ...details, email } : details,
    created_at: createdAt.toISOString(),
  }) as ActivityProps // `record` wrote it with the details that this type declares

/** Hides the client of other people from the user, but not that of an unknown actor, such as a guesser of passwords. */
export const presentOwnActivity = (userId: number) => (activity: Activity) => {
  const isOthers = activity.actorId !== null && activity.actorId !== userId
  return {
    ...presentActivity(activity),
    ip_address: isOthers ? null : activity.ipAddress,
    user_agent: isOthers ? null : activity.userAgent,
  } satisfies OwnActivityProps
}
