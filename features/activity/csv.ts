import type { Database } from '../../plugins/database/index.ts'
import { type Columns, csvOf } from '../../plugins/http/csv.ts'
import { everyActivityOf } from './lists.ts'
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

export const accountCsvOf = (db: Database, accountId: number) =>
  csvOf(columns, everyActivityOf(db, { accountId }, presentActivity))

export const ownCsvOf = (db: Database, userId: number) =>
  csvOf(ownColumns, everyActivityOf(db, { userId }, presentOwnActivity(userId)))
