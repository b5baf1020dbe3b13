import { type Columns, csvOf } from '../../plugins/http/csv.ts'
import type { Activity } from './lists.ts'
import { type ActivityProps, type OwnActivityProps, presentActivity, presentOwnActivity } from './props.ts'

const columns: Columns<ActivityProps> = {
  time: ({ created_at }) => created_at,
  type: ({ type }) => type,
  actor: ({ actor_name }) => actor_name,
  person: ({ details }) => details.name ?? details.email,
  from: ({ details }) => ('from' in details ? details.from : undefined),
  to: ({ details }) => ('to' in details ? details.to : 'role' in details ? details.role : undefined),
}

const ownColumns: Columns<OwnActivityProps> = {
  ...columns,
  workspace: ({ details }) => details.account_name,
  method: ({ details }) => ('method' in details ? details.method : undefined),
  ip_address: ({ ip_address }) => ip_address,
  user_agent: ({ user_agent }) => user_agent,
}

/** The activities of an account. */
export const accountCsvOf = (batches: AsyncIterable<Activity[]>) => csvOf(columns, each(batches, presentActivity))

/** Those of a person. */
export const ownCsvOf = (batches: AsyncIterable<Activity[]>, userId: number) =>
  csvOf(
    ownColumns,
    each(batches, (activity) => presentOwnActivity(activity, userId)),
  )

async function* each<Props>(batches: AsyncIterable<Activity[]>, present: (activity: Activity) => Props) {
  for await (const batch of batches) yield batch.map(present)
}
