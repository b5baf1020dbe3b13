import { and, eq, inArray, lt, SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { accounts, activities, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf, currentRequest } from '../../plugins/http/request.ts'
import type { Activities, ActivityType } from './activities.ts'

const aDayMs = 86_400_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Users who are downloading activity from this process. */
    activityReaders: Set<number>
  }
  interface FastifyContextConfig {
    /** What this route changes is recorded as done by an operator, whose name and client nobody sees. */
    actsAsOperator?: true
  }
}

/** Records what people do, in the same transaction. All features record, and this one depends on none of them. */
export const activity = fp<{ days: number }>(
  async (app, { days }) => {
    app.decorate('activityReaders', new Set<number>())

    const since = () => new Date(app.now().getTime() - days * aDayMs)
    app.sweeper.add({ table: activities, isExpired: () => lt(activities.createdAt, since()) })
  },
  { name: 'activity', dependencies: ['sweeper'] },
)

export async function record<Type extends ActivityType>(
  tx: Tx,
  type: Type,
  about: Activities[Type],
  client?: Partial<Client>,
) {
  const { rows } = await tx.execute<{ id: string }>(activityInsert(type, about, undefined, client))
  return Number(rows[0]?.id)
}

type Recorded<About> = { [Name in keyof About]: About[Name] | SQL }
type Ids = { actorId?: number | null | SQL; userId?: number | SQL; accountId?: number | SQL }

/** For activities caused by someone who does not appear in the record. */
export const noClient: Partial<Client> = {}

/**
 * Like `record`, but as part of a statement: one record per row of `from`, whose qualified columns may be used as
 * values.
 */
export function activityInsert<Type extends ActivityType>(
  type: Type,
  about: Recorded<Activities[Type]>,
  from?: SQL,
  client: Partial<Client> = currentClient(),
) {
  const { userId = null, accountId = null, actorId = userId, ...details } = about as Ids & Record<string, unknown>
  const { ipAddress = null, userAgent = null } = client
  const actor = sql`${actorId}::bigint`
  const user = sql`${userId}::bigint`
  const account = sql`${accountId}::bigint`
  // Looks up the names itself, so callers need not know them.
  return sql`
    insert into ${activities} (type, actor_id, actor_name, user_id, account_id, details, ip_address, user_agent)
    select ${type}::text, ${actor},
      coalesce((select who.name from ${users} who where who.id = ${actor}), ${operatorName()}::text), ${user}, ${account},
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

/** The client of the current request, so that no function can forget to pass it. Jobs and commands have none. */
function currentClient() {
  const request = currentRequest()
  return request && !request.routeOptions.config.actsAsOperator ? clientOf(request) : noClient
}

/** Unless somebody else is the actor, as of what follows from a deletion. */
const operatorName = () => (currentRequest()?.routeOptions.config.actsAsOperator ? 'An operator' : null)

const deletedUser = 'a deleted user'

/**
 * Removes a deleted user from the activities. Those that concern only them are deleted, shared ones lose name, address
 * and browser. `left` are the accounts they left just now, of which a personal one had their name. Runs after the
 * deletion, which waits for the user's other transactions, so everything they recorded is visible.
 */
export async function forgetUser(tx: Tx, userId: number, left: number[]) {
  await forgetAccountNames(tx, userId, left)
  const inAccount = sql`exists (select from ${accounts} where ${accounts.id} = ${activities.accountId})`
  const others = sql`${activities.actorId} = ${userId} and ${activities.actorId} is distinct from ${activities.userId}`
  await tx.execute(sql`delete from ${activities} where ${activities.userId} = ${userId} and not ${inAccount}`)
  // What they did in accounts that no longer exist, whose names may contain theirs.
  await tx.execute(sql`delete from ${activities} where ${others} and ${activities.userId} is null and not ${inAccount}`)
  const anonymous = sql`actor_id = null, actor_name = ${deletedUser}, ip_address = null, user_agent = null`
  // Each condition matches an index.
  await tx.execute(sql`
    update ${activities} set ${anonymous} where ${activities.userId} = ${userId} and ${activities.actorId} = ${userId}`)
  await tx.execute(sql`update ${activities} set ${anonymous} where ${others}`)
  await tx.execute(sql`
    update ${activities} set user_id = null, details = details || jsonb_build_object('name', ${deletedUser}::text)
    where ${activities.userId} = ${userId}`)
}

/** Reads the names that the user ever had from their own activities, so it has to come first. */
async function forgetAccountNames(tx: Tx, userId: number, left: number[]) {
  const shared = and(inArray(accounts.id, left), eq(accounts.personal, false))
  const remaining = await tx.select({ id: accounts.id }).from(accounts).where(shared)
  // Looked up first: an account that others share may have a million activities.
  const own = left.filter((id) => !remaining.some((account) => account.id === id))
  if (own.length === 0) return
  const names = sql`
    select left(own.actor_name, 60) from ${activities} own where own.user_id = ${userId} and own.actor_id = ${userId}`
  const forget = (field: string) => {
    const anonymous = sql`jsonb_build_object(${field}::text, ${`${deletedUser}'s account`}::text)`
    return tx.execute(sql`
      update ${activities} set details = details || ${anonymous}
      where ${inArray(activities.accountId, own)} and details ->> ${field} in (${names})`)
  }
  await Promise.all(['account_name', 'from', 'to'].map(forget))
}
