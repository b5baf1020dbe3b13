import type { Activity } from './lists.ts'
import { type ActivityProps, type OwnActivityProps, presentActivity, presentOwnActivity } from './props.ts'

type Columns<Props> = Record<string, (activity: Props) => unknown>

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

/** The activities of an account as CSV (RFC 4180), one chunk per batch. */
export const csvOf = (batches: AsyncIterable<Activity[]>) => csv(batches, columns, presentActivity)

/** The same for those of a person. */
export const ownCsvOf = (batches: AsyncIterable<Activity[]>, userId: number) =>
  csv(batches, ownColumns, (activity) => presentOwnActivity(activity, userId))

async function* csv<Props>(
  batches: AsyncIterable<Activity[]>,
  columns: Columns<Props>,
  present: (activity: Activity) => Props,
) {
  yield line(Object.keys(columns))
  for await (const batch of batches) {
    yield batch.map((activity) => line(Object.values(columns).map((cell) => cell(present(activity))))).join('')
  }
}

const line = (cells: unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown) {
  const text = String(value ?? '')
  // Spreadsheets run cells that start like this as formulas, and any invited person can choose a name.
  // Some read the wide forms of these characters alike (OWASP, CSV Injection).
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
  // Quoted always: in some languages spreadsheets also split at semicolons and tabs.
  return `"${harmless.replaceAll('"', '""')}"`
}
