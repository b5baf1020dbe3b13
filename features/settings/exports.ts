import { asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { presentAccount } from '../accounts/props.ts'
import { everyActivityOf, record } from '../activity/index.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { presentSession, presentUser } from '../auth/props.ts'
import { type Confirmed, whileConfirmed } from '../auth/requests.ts'
import { selectSessions } from '../auth/sessions.ts'

type App = Pick<FastifyInstance, 'db' | 'dataExport' | 'sessionPolicy'>

/**
 * All data about a person as JSON, piece by piece. Built from what pages present, so no secret can slip in. Throws
 * SignedOut or Invalid.
 */
export async function exportOf(app: App, confirmed: Confirmed) {
  const { userId } = confirmed
  await whileConfirmed(app.db, confirmed, (tx) => record(tx, 'data_exported', { userId }))
  return app.dataExport.jsonOf(userId)
}

/** What is known about everyone. */
export function addExports(app: App) {
  const { db, dataExport } = app
  dataExport.add('user', async (userId) => {
    const [user] = await db.select().from(users).where(eq(users.id, userId))
    return user && { ...presentUser(user), language: user.language }
  })
  dataExport.add('sessions', async (userId) =>
    (await selectSessions(app, userId)).map(presentSession).map(({ id: _token, ...session }) => session),
  )
  dataExport.add('accounts', async (userId) =>
    (await accountsOf(db, userId)).map(({ account, role }) => ({ ...presentAccount(account), role })),
  )
  dataExport.add('activity', (userId) => everyActivityOf(db, { userId }, presentOwnActivity(userId)))
}

const accountsOf = (db: Database, userId: number) =>
  db
    .select({ account: accounts, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(accounts.name), asc(accounts.id))
