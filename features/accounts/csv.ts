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

/** Activities as a table, in the words of RFC 4180, a chunk for each batch that is read. */
export async function* csvOf(batches: AsyncIterable<Activity[]>) {
  yield line(Object.keys(columns))
  for await (const batch of batches) {
    yield batch.map((activity) => line(Object.values(columns).map((cell) => cell(presentActivity(activity))))).join('')
  }
}

const line = (cells: unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown) {
  const text = String(value ?? '')
  // What begins like this a spreadsheet would run: names are given by anybody who is invited.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
