import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { presences, users } from '../../drizzle/schema.ts'
import { type Database, plannedAnew, type Tx } from '../database/index.ts'
import { publish } from './broadcast.ts'
import type { Room } from './channel.ts'

/** A user who is present, listed once however many tabs they have open. The state is from the tab that changed last. */
export type Present = { user_id: number; name: string; picture: string | null; state: unknown }
export type Place = { room: Room; userId: number; tabId: string }
export type State = Record<string, unknown>
export type Here = Place & { state: State }

export type Presence = ReturnType<typeof createPresence>

const maxTabs = 20 // per user and room
const inThirtySeconds = sql`now() + interval '30 seconds'`

/**
 * Who is where, by the database's clock, which all processes share. Heartbeats every 15 s renew an entry for 30 s.
 * `pathOf` turns the key of a picture into its path.
 */
export function createPresence(db: Database, pathOf: (picture: string | null) => string | null) {
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
      const rows = await db.execute<Present & { room: Room }>(sql`
        select room, here.user_id, here.name, here.picture, here.state
        from json_array_elements_text(${JSON.stringify([...present.keys()])}::json) room cross join lateral (
          select distinct on (entry.user_id) entry.user_id, person.name, person.picture, entry.state
          from ${presences} entry join ${users} person on person.id = entry.user_id
          where entry.identifier = room and entry.expires_at > now()
          order by entry.user_id, entry.changed_at desc, entry.tab_id
        ) here ${plannedAnew}`)
      for (const { room, user_id, name, picture, state } of rows) {
        present.get(room)?.push({ user_id: Number(user_id), name, picture: pathOf(picture), state })
      }
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

/** Tells all rooms where a user is that others see something new of them. */
export const announcePresence = async (tx: Tx, userId: number) =>
  announce(
    tx,
    await tx.selectDistinct({ room: presences.identifier }).from(presences).where(eq(presences.userId, userId)),
  )

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

// Rows are looked up one by one, in lateral selects that the planner cannot flatten. The statistics of a table that
// changes this often are always wrong, and a plain join then compares all rows with all heartbeats. The table fills and
// empties within minutes, so no plan is kept either.
const rowsOf = (all: Here[]) =>
  JSON.stringify(all.map(({ room, userId, tabId, state }, n) => ({ n, room, user_id: userId, tab_id: tabId, state })))
const beat = (all: Here[]) =>
  sql`json_to_recordset(${rowsOf(all)}::json) as beat(n int, room text, user_id bigint, tab_id text, state jsonb)`

/**
 * Renews entries and returns those that must be written, because they are new or changed. Rows are updated in place,
 * since no index covers the columns that change.
 */
async function prolong(db: Database, all: Here[]) {
  const rows = await db.execute<{ n: number }>(sql`
    with held as materialized (
      select beat.n, own.ctid from (select * from ${beat(all)} order by room, user_id, tab_id) beat cross join lateral (
        select ctid from ${presences}
        where identifier = beat.room and user_id = beat.user_id and tab_id = beat.tab_id
          and expires_at > now() and state = beat.state
        limit 1 for no key update
      ) own
    ), prolonged as (
      update ${presences} set expires_at = ${inThirtySeconds} where ctid = any(array(select ctid from held))
    )
    select n from held ${plannedAnew}`)
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
    insert into ${presences} (identifier, user_id, tab_id, state, changed_at, expires_at)
    select room, user_id, tab_id, state,
      clock_timestamp() + interval '1 ms' * (row_number() over (partition by room, user_id order by n) - 1),
      ${inThirtySeconds}
    from ${beat(news)} order by room, user_id, tab_id
    on conflict (identifier, user_id, tab_id) do update
      set state = excluded.state, changed_at = excluded.changed_at, expires_at = excluded.expires_at`)
  await tx.execute(sql`
    with oldest as (
      select too_many.ctid from (select distinct room, user_id from ${beat(news)}) who cross join lateral (
        select ctid from ${presences} where identifier = who.room and user_id = who.user_id
        order by changed_at desc, tab_id offset ${maxTabs}
      ) too_many
    )
    delete from ${presences} where ctid in (
      select ctid from ${presences} where ctid in (select ctid from oldest) for update skip locked) ${plannedAnew}`)
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
