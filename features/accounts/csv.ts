import type { Activity } from '../activity/lists.ts'
import { type ActivityProps, presentActivity } from '../activity/props.ts'

const columns: Record<string, (activity: ActivityProps) => unknown> = {
  time: ({ created_at }) => created_at,
  type: ({ type }) => type,
  actor: ({ actor_name }) => actor_name,
  person: ({ details }) => details.name ?? details.email,
  from: ({ details }) => ('from' in details ? details.from : undefined),
  to: ({ details }) => ('to' in details ? details.to : 'role' in details ? details.role : undefined),
}

/** Activities as CSV (RFC 4180), one chunk per batch. */
export async function* csvOf(batches: AsyncIterable<Activity[]>) {
  yield line(Object.keys(columns))
  for await (const batch of batches) {
    yield batch.map((activity) => line(Object.values(columns).map((cell) => cell(presentActivity(activity))))).join('')
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
