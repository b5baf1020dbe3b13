import { lt, SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { accounts, activities, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { type Client, clientOf, currentRequest } from '../../plugins/http/request.ts'
import type { Activities, ActivityType } from './activities.ts'
import type { DetailsOf } from './props.ts'

const aDayMs = 86_400_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Users who are downloading activity from this process. */
    activityDownloads: Set<number>
    /**
     * Runs `handler` in the transaction that records an activity of these types (docs/guide.md). Its calls are all that
     * follows a record: mails to owners, and what is to be sent elsewhere.
     */
    onRecorded<Type extends ActivityType>(types: readonly Type[], handler: RecordHandler<Type>): void
  }
  interface FastifyContextConfig {
    /** What this route changes is recorded as done by somebody of this name, whose own name and client nobody sees. */
    recordedAs?: string
  }
}

/** Records what people do, in the same transaction. All features record, and this one depends on none of them. */
export const activity = fp<{ days: number }>(
  async (app, { days }) => {
    app.decorate('activityDownloads', new Set<number>())
    app.decorate('onRecorded', (types, handler) => addRecordHandler(app.db.pool, types, handler))

    const since = () => new Date(app.now().getTime() - days * aDayMs)
    app.sweeper.add({ table: activities, isExpired: () => lt(activities.createdAt, since()) })
  },
  { name: 'activity', dependencies: ['database', 'sweeper'] },
)

/** What was recorded, as others may know it: without IP address and browser. */
export type RecordedActivity<Type extends ActivityType = ActivityType> = {
  id: number
  type: Type
  actorId: number | null
  actorName: string | null
  /** Whom it concerns. */
  userId: number | null
  accountId: number | null
  details: DetailsOf<Type>
  createdAt: Date
}

/** Runs in the transaction that records. If it throws, what was done is undone, so it should queue what may fail. */
export type RecordHandler<Type extends ActivityType> = (tx: Tx, activity: RecordedActivity<Type>) => Promise<unknown>

type AnyHandler = (tx: Tx, activity: never) => Promise<unknown>

/** What `onRecorded` added for each type, by the pool of the database: a transaction knows that, but no application. */
const handlers = new WeakMap<Tx['pool'], Map<ActivityType, AnyHandler[]>>()

export function addRecordHandler(pool: Tx['pool'], types: readonly ActivityType[], handler: AnyHandler) {
  const byType = handlers.get(pool) ?? new Map<ActivityType, AnyHandler[]>()
  handlers.set(pool, byType)
  for (const type of types) byType.set(type, [...(byType.get(type) ?? []), handler])
}

/** For activities caused by someone who does not appear in the record. */
export const noClient: Partial<Client> = {}

/** Returns the id of the activity. */
export async function record<Type extends ActivityType>(
  tx: Tx,
  type: Type,
  about: Activities[Type],
  client?: Partial<Client>,
) {
  const [activity] = await recordEach(tx, type, about, client && { client })
  if (!activity) throw new Error('the activity was not recorded')
  return activity.id
}

type Columns<About> = { [Name in keyof About]: About[Name] | SQL }
type Ids = { actorId?: number | null | SQL; userId?: number | SQL; accountId?: number | SQL }
/** `actorName` is of an actor who is no user. */
export type Source = { with?: SQL; from?: SQL; client?: Partial<Client>; actorName?: string | undefined }

/**
 * Records once for each row of `from`, whose qualified columns may be used as values. `with` is what the statement does
 * besides, as common table expressions that `from` may name. Then runs what was added with `app.onRecorded`.
 */
export async function recordEach<Type extends ActivityType>(
  tx: Tx,
  type: Type,
  about: Columns<Activities[Type]>,
  { with: others, from, client = currentClient(), actorName = recordedAs() }: Source = {},
) {
  const { userId = null, accountId = null, actorId = userId, ...details } = about as Ids & Record<string, unknown>
  const { ipAddress = null, userAgent = null } = client
  const actor = sql`${actorId}::bigint`
  const user = sql`${userId}::bigint`
  const account = sql`${accountId}::bigint`
  // Looks up the names itself, so callers need not know them.
  const { rows } = await tx.execute<RecordedRow>(sql`
    ${others ? sql`with ${others}` : sql``}
    insert into ${activities} (type, actor_id, actor_name, user_id, account_id, details, ip_address, user_agent)
    select ${type}::text, ${actor},
      coalesce((select who.name from ${users} who where who.id = ${actor}), ${actorName ?? null}::text),
      ${user}, ${account},
      jsonb_strip_nulls(jsonb_build_object(
        'name', (select who.name from ${users} who where who.id = ${user} and who.id is distinct from ${actor}),
        'account_name', (select place.name from ${accounts} place where place.id = ${account})
      )) || ${jsonOf(details)},
      ${ipAddress}::text, ${userAgent}::text
    ${from ? sql`from ${from}` : sql``}
    returning id::float8 as id, actor_id::float8 as "actorId", actor_name as "actorName", user_id::float8 as "userId",
      account_id::float8 as "accountId", details, created_at as "createdAt"`)
  const recorded = rows.map((row) => ({ ...row, type, createdAt: new Date(row.createdAt) }) as RecordedActivity<Type>)
  for (const handler of handlers.get(tx.pool)?.get(type) ?? [])
    for (const activity of recorded) await handler(tx, activity as never)
  return recorded
}

/** The driver reads ids as texts unless they are floats, and times always. */
type RecordedRow = Omit<RecordedActivity, 'type' | 'createdAt'> & { createdAt: string }

function jsonOf(details: Record<string, unknown>) {
  const values = Object.entries(details).filter(([, value]) => !(value instanceof SQL))
  const columns = Object.entries(details).filter(([, value]) => value instanceof SQL)
  const pairs = columns.map(([name, column]) => sql` || jsonb_build_object(${name}::text, ${column})`)
  return sql`${JSON.stringify(Object.fromEntries(values))}::jsonb${sql.join(pairs)}`
}

/** The client of the current request, so that no function can forget to pass it. Jobs and commands have none. */
function currentClient() {
  const request = currentRequest()
  return request && recordedAs() === undefined ? clientOf(request) : noClient
}

const recordedAs = () => currentRequest()?.routeOptions.config.recordedAs
