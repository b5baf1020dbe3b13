import { SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { accounts, activities, users } from '../../drizzle/schema.ts'
import { currentRequest } from '../../plugins/current-request.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf } from '../../plugins/http/client.ts'
import type { Activities, ActivityType } from './activities.ts'

export { forgetUser } from './deletion.ts'
export { activitiesOf, everyActivityOf } from './lists.ts'

const aDayMs = 86_400_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Users who are downloading activity from this process. */
    activityReaders: Set<number>
  }
}

/** Records what people do, in the same transaction. All features record, and this one depends on none of them. */
export const activity = fp<{ days: number }>(
  async (app, { days }) => {
    app.decorate('activityReaders', new Set<number>())

    const since = () => new Date(app.now().getTime() - days * aDayMs).toISOString()
    app.sweeper.add({
      table: activities,
      isExpired: () => sql`${activities.createdAt} < ${since()}`,
    })
  },
  { name: 'activity', dependencies: ['sweeper'] },
)

export async function record<Type extends ActivityType>(
  tx: Tx,
  type: Type,
  about: Activities[Type],
  client?: SaidClient,
) {
  const { rows } = await tx.execute<{ id: string }>(recording(type, about, undefined, client))
  return Number(rows[0]?.id)
}

type Recorded<About> = { [Name in keyof About]: About[Name] | SQL }
type Ids = { actorId?: number | null | SQL; userId?: number | SQL; accountId?: number | SQL }
type SaidClient = Partial<Record<keyof Client, string | SQL>>

/** For activities caused by someone who does not appear in the record. */
export const noClient: SaidClient = {}

/** The client of the current request, so that no function can forget to pass it. */
function currentClient() {
  const request = currentRequest()
  return request ? clientOf(request) : noClient
}

/**
 * Like `record`, but as part of a statement: one record per row of `from`, whose qualified columns may be used as
 * values. A prepared statement names its client, because it is built before there is one. Jobs and commands have none.
 */
export function recording<Type extends ActivityType>(
  type: Type,
  about: Recorded<Activities[Type]>,
  from?: SQL,
  client: SaidClient = currentClient(),
) {
  const { userId = null, accountId = null, actorId = userId, ...details } = about as Ids & Record<string, unknown>
  const { ipAddress = null, userAgent = null } = client
  const actor = sql`${actorId}::bigint`
  const user = sql`${userId}::bigint`
  const account = sql`${accountId}::bigint`
  // Looks up the names itself, so callers need not know them.
  return sql`
    insert into ${activities} (type, actor_id, actor_name, user_id, account_id, details, ip_address, user_agent)
    select ${type}::text, ${actor}, (select who.name from ${users} who where who.id = ${actor}), ${user}, ${account},
      jsonb_strip_nulls(jsonb_build_object(
        'name', (select who.name from ${users} who where who.id = ${user} and who.id is distinct from ${actor}),
        'account_name', (select place.name from ${accounts} place where place.id = ${account})
      )) || ${jsonOf(details)},
      ${ipAddress}::text, ${userAgent}::text
    ${from ? sql`from ${from}` : sql``}
    returning id`
}

function jsonOf(details: Record<string, unknown>) {
  const known = Object.entries(details).filter(([, value]) => !(value instanceof SQL))
  const found = Object.entries(details).filter(([, value]) => value instanceof SQL)
  const pairs = found.map(([name, value]) => sql` || jsonb_build_object(${name}::text, ${value})`)
  return sql`${JSON.stringify(Object.fromEntries(known))}::jsonb${sql.join(pairs)}`
}
