import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Actor } from '../accounts/access.ts'
import { account, member, type StrongProof } from '../accounts/requirements.ts'

const thirtyDaysMs = 2_592_000_000

const after = (now: SQL, ms: number) => sql`${now} - ${ms} * interval '1 millisecond'`

/** The connections that a session has passed, and need not pass again. */
const passedBy = ({ site }: FastifyInstance, session: SQL, now: SQL) => sql`
  select ${ssoPasses.connectionId} from ${ssoPasses}
  where ${ssoPasses.sessionToken} = ${session} and ${ssoPasses.passedAt} > ${after(now, site.singleSignOn?.maxMs ?? 0)}`

const isPassed = (app: FastifyInstance, session: SQL, accountId: SQLWrapper, now: SQL) => sql<boolean>`exists (
  select from ${ssoConnections} connection
  where connection.account_id = ${accountId} and connection.id in (${passedBy(app, session, now)}))`

/** A session that passed the connection of a workspace has done all that it asks, also by a second factor. */
export const passProof = (app: FastifyInstance): StrongProof => ({
  name: 'single-sign-on',
  opens({ shown, isException, now }) {
    if ('session' in shown) return isPassed(app, shown.session, account.id, now)
    const hasPassed = sql`connection.account_id = ${account.id} and connection.id = any(${shown.kept})`
    if (isException) return sql`exists (select from ${ssoConnections} connection where ${hasPassed})`
    // As long as the person passes again and again.
    return sql`exists (
      select from ${ssoConnections} connection join ${ssoIdentities} identity using (account_id)
      where ${hasPassed} and identity.user_id = ${member.userId} and identity.subject is not null
        and identity.last_used_at > ${after(now, thirtyDaysMs)})`
  },
  kept: (token, now) => sql`array(${passedBy(app, sql`${token}`, at(now))})`,
})

/** Whether a session has passed the connection of an account, and need not do so again. */
export async function hasPassed(app: FastifyInstance, db: Database | Tx, { accountId, credential }: Actor) {
  if (typeof credential !== 'string') return false
  const isIt = isPassed(app, sql`${credential}`, sql`${accountId}`, at(app.now()))
  const { rows } = await db.execute<{ passed: boolean }>(sql`select ${isIt} as passed`)
  return rows[0]?.passed === true
}

const at = (now: Date) => sql`${now.toISOString()}::timestamptz`
