import { asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { presentAccount } from '../accounts/props.ts'
import { everyActivityOf, record } from '../activity/index.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { presentSession, presentUser } from '../auth/props.ts'
import type { Session } from '../auth/requests.ts'
import { everySessionOf } from '../auth/sessions.ts'
import { pictureAsUrl } from '../pictures/pictures.ts'

type App = Pick<FastifyInstance, 'db' | 'sessionPolicy' | 'waysIn'>

/**
 * All data about a person, built from what pages present, so no secret can slip in. Throws SignedOut, or Invalid if the
 * reauthentication is void by now.
 */
export async function exportOf(app: App, { userId, token }: Session, reauthentication: Reauthentication) {
  const { db } = app
  await whileSignedIn(db, token, async (tx) => {
    await lockUser(tx, userId, reauthentication)
    await record(tx, 'data_exported', { userId })
  })
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  const activity = []
  for await (const batch of everyActivityOf(db, { userId })) activity.push(...batch)
  return {
    user: user && presentUser(user),
    picture: await pictureAsUrl(db, userId),
    sessions: (await everySessionOf(app, userId)).map(withoutToken),
    accounts: (await accountsOf(app, userId)).map(({ account, role }) => ({ ...presentAccount(account), role })),
    ...(await app.waysIn.export(db, userId)),
    activity: activity.map((entry) => presentOwnActivity(entry, userId)),
  }
}

const withoutToken = (session: Parameters<typeof presentSession>[0]) => {
  const { id: _, ...rest } = presentSession(session)
  return rest
}

const accountsOf = ({ db }: App, userId: number) =>
  db
    .select({ account: accounts, role: memberships.role })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(accounts.name), asc(accounts.id))
