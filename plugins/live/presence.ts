import { and, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { presences, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import { publish } from './broadcast.ts'
import type { Room } from './channel.ts'

/** A user who is present, listed once however many tabs they have open. The state is from the tab that changed last. */
export type Present = { user_id: number; name: string; state: unknown }
export type Place = { room: Room; userId: number; tabId: string }
export type State = Record<string, unknown>
export type Here = Place & { state: State }

export type Presence = ReturnType<typeof createPresence>

const mostTabs = 20 // per user and room
const inThirtySeconds = sql`now() + interval '30 seconds'`

/** Who is where, by the database's clock, which all processes share. Heartbeats every 15 s renew an entry for 30 s. */
export function createPresence(db: Database) {
  const list = db
    .selectDistinctOn([presences.identifier, presences.userId], {
      room: presences.identifier,
      person: { user_id: presences.userId, name: users.name, state: presences.state },
    })
    .from(presences)
    .innerJoin(users, eq(users.id, presences.userId))
    .where(
      and(
        sql`${presences.identifier} in (select json_array_elements_text(${sql.placeholder('rooms')}::json))`,
        gt(presences.expiresAt, sql`now()`),
      ),
    )
    .orderBy(presences.identifier, presences.userId, sql`${presences.changedAt} desc`, presences.tabId)
    .prepare('list_presence')

  return {
    /**
     * Takes thousands of heartbeats at once. Unchanged ones take a single statement, new or changed ones are announced.
     */
    async keep(all: Here[]) {
      if (all.length === 0) return
      const last = new Map(all.map((here) => [JSON.stringify([here.room, here.userId, here.tabId]), here]))
      const news = await prolong(db, [...last.values()])
      if (news.length > 0) await db.transaction((tx) => enter(tx, news))
    },

    async leave({ room, userId, tabId }: Omit<Place, 'tabId'> & { tabId?: string }) {
      const theirs = and(eq(presences.identifier, room), eq(presences.userId, userId))
      const which = tabId === undefined ? theirs : and(theirs, eq(presences.tabId, tabId))
      await db.transaction(async (tx) => {
        const left = await forget(tx, which)
        if (left.length > 0) await publish(tx, { kind: 'presence', room, tab_id: tabId ?? null })
      })
    },

    async in(rooms: Room[]): Promise<Map<Room, Present[]>> {
      const present = new Map<Room, Present[]>(rooms.map((room) => [room, []]))
      if (rooms.length === 0) return present
      const rows = await list.execute({ rooms: JSON.stringify([...present.keys()]) })
      for (const { room, person } of rows) present.get(room)?.push(person)
      return present
    },

    /** Deletes expired entries and notifies their rooms. Any process may do this, also for one that died. */
    forgetExpired: () =>
      db.transaction(async (tx) => {
        const unlocked = tx.select({ ctid: sql`ctid` }).from(presences).where(lte(presences.expiresAt, sql`now()`))
        const which = inArray(sql`ctid`, unlocked.for('update', { skipLocked: true }))
        await announce(tx, await tx.delete(presences).where(which).returning({ room: presences.identifier }))
      }),
  }
}

/** Removes a user from all rooms. */
export const forgetPresence = async (tx: Tx, userId: number) =>
  announce(tx, await forget(tx, eq(presences.userId, userId)))

/** Whatever locks several rows uses this order or skips locked rows. Otherwise, deadlocks are possible. */
const key = [presences.identifier, presences.userId, presences.tabId]

async function forget(tx: Tx, which: SQL | undefined) {
  await tx
    .select({ tabId: presences.tabId })
    .from(presences)
    .where(which)
    .orderBy(...key)
    .for('update')
  return tx.delete(presences).where(which).returning({ room: presences.identifier })
}

const rowsOf = (all: Here[]) =>
  JSON.stringify(all.map(({ room, userId, tabId, state }, n) => ({ n, room, user_id: userId, tab_id: tabId, state })))
const beat = (all: Here[]) =>
  sql`json_to_recordset(${rowsOf(all)}::json) as beat(n int, room text, user_id bigint, tab_id text, state jsonb)`
const isTheirs = sql`entry.identifier = beat.room and entry.user_id = beat.user_id and entry.tab_id = beat.tab_id`

/**
 * Renews entries and returns those that must be written: new ones, changed ones and those that another process has
 * locked. Rows are updated in place, since no index covers the columns that change.
 */
async function prolong(db: Database, all: Here[]) {
  const rows = await db.execute<{ n: number }>(sql`
    with held as materialized (
      select beat.n, entry.ctid from ${beat(all)} join ${presences} entry on ${isTheirs}
      where entry.expires_at > now() and entry.state = beat.state
      order by entry.identifier, entry.user_id, entry.tab_id for no key update of entry
    )
    update ${presences} entry set expires_at = ${inThirtySeconds} from held where entry.ctid = held.ctid returning held.n`)
  const prolonged = new Set(rows.map(({ n }) => n))
  return all.filter((_, n) => !prolonged.has(n))
}

/**
 * If several tabs of a user arrive at once, later ones count as changed later. Beyond the limit, the oldest tab is
 * removed.
 */
async function enter(tx: Tx, news: Here[]) {
  // serialized, or concurrent processes could each stay within the limit and exceed it together
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('presence', 0))`)
  await tx.execute(sql`
    insert into ${presences} as entry (identifier, user_id, tab_id, state, changed_at, expires_at)
    select room, user_id, tab_id, state,
      clock_timestamp() + interval '1 ms' * (row_number() over (partition by room, user_id order by n) - 1), ${inThirtySeconds}
    from ${beat(news)} order by room, user_id, tab_id
    on conflict (identifier, user_id, tab_id) do update
      set state = excluded.state, expires_at = excluded.expires_at, changed_at = case
        when entry.state = excluded.state and entry.expires_at > now() then entry.changed_at else excluded.changed_at end`)
  await tx.execute(sql`
    with ranked as (
      select entry.ctid, row_number() over (
        partition by entry.identifier, entry.user_id order by entry.changed_at desc, entry.tab_id) as rank
      from (select distinct room, user_id from ${beat(news)}) as who
      join ${presences} entry on entry.identifier = who.room and entry.user_id = who.user_id
    )
    delete from ${presences} where ctid in (
      select ctid from ${presences} where ctid in (select ctid from ranked where rank > ${mostTabs}) for update skip locked)`)
  await announce(tx, news)
}

/** One event per room. It names the tab if a single one caused the change. */
async function announce(tx: Tx, changes: { room: Room; tabId?: string }[]) {
  const rooms = Map.groupBy(changes, ({ room }) => room)
  const events = Array.from(rooms, ([room, [first, ...others]]) => {
    return { kind: 'presence', room, tab_id: others.length === 0 ? (first?.tabId ?? null) : null } as const
  })
  await publish(tx, ...events)
}
