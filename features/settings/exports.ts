import { asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, users } from '../../drizzle/schema.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { presentAccount } from '../accounts/props.ts'
import { record } from '../activity/index.ts'
import { everyActivityOf } from '../activity/lists.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { presentSession, presentUser } from '../auth/props.ts'
import { type Reauthenticated, withReauthentication } from '../auth/reauthentication/index.ts'
import { selectSessions } from '../auth/sessions.ts'

/** A part of the export of a person's data, as JSON will have it. */
export type ExportPart = (userId: number) => Promise<unknown>

/** All data about a person as JSON, piece by piece. Throws SignedOut or Invalid. */
export async function exportOf(app: FastifyInstance, reauthenticated: Reauthenticated) {
  const { userId } = reauthenticated
  await withReauthentication(app.db, reauthenticated, (tx) => record(tx, 'data_exported', { userId }))
  return jsonOf(app, userId)
}

/** Built from what pages present, so it has no secrets. Activity may not fit into memory, so it comes in batches. */
async function* jsonOf(app: FastifyInstance, userId: number) {
  const { db } = app
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) return
  const places = await selectAccounts(db, userId).orderBy(asc(accounts.name), asc(accounts.id))
  const parts = {
    user: { ...presentUser(user), language: user.language },
    sessions: (await selectSessions(app, userId)).map(presentSession).map(({ id: _token, ...session }) => session),
    accounts: places.map(({ account, role }) => ({ ...presentAccount(account), role })),
  }
  // None replaces a part of ours, nor comes before it.
  const all = { ...parts, ...(await partsOf(app, userId)), ...parts }
  yield JSON.stringify(all, null, 2).replace(/\n}$/, ',\n  "activity": [')
  let separator = '\n    '
  for await (const batch of everyActivityOf(db, { userId }, presentOwnActivity(userId))) {
    let text = ''
    for (const activity of batch) {
      text += separator + JSON.stringify(activity, null, 2).replaceAll('\n', '\n    ')
      separator = ',\n    '
    }
    yield text
  }
  yield '\n  ]\n}'
}

async function partsOf({ exportParts }: FastifyInstance, userId: number) {
  const parts: Record<string, unknown> = {}
  for (const [name, part] of exportParts) parts[name] = await part(userId)
  return parts
}
