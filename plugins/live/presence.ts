import { and, desc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { liveOutbox, presences, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import type { Room } from './channel.ts'
import { notifySoon, publish } from './relay.ts'

/** A user who is present, listed once however many tabs they have open. The state is from the tab that changed last. */
export type Present = { user_id: number; name: string; picture: string | null; state: unknown }
type Tab = { room: Room; userId: number; tabId: string }

export type Presence = ReturnType<typeof createPresence>

const maxTabs = 20 // per user and room

/**
 * Who is where, by the database's clock, which all processes share. Heartbeats every 15 s renew an entry for 30 s.
 * `pathOf` turns the key of a picture into its path.
 */
export function createPresence(db: Database, pathOf: (picture: string | null) => string | null) {
  return {
    /** Enters or renews tabs, in place, since no index covers what changes. New or changed ones are announced. */
    async keep(tabs: (Tab & { state: object })[]) {
      if (tabs.length === 0) return
      const last = new Map(tabs.map((tab) => [JSON.stringify([tab.room, tab.userId, tab.tabId]), tab]))
      const heartbeats = [...last.values()].map(({ room, userId, tabId, state }) => ({ room, userId, tabId, state }))
      const news = await db.execute<{ room: Room; user_id: string }>(sql`
        with kept as (
          insert into ${presences} as known (identifier, user_id, tab_id, state, expires_at)
          select room, "userId", "tabId", state, now() + interval '30 seconds'
          from json_to_recordset(${JSON.stringify(heartbeats)}::json)
            as heartbeat(room text, "userId" bigint, "tabId" text, state jsonb)
          order by 1, 2, 3
          on conflict (identifier, user_id, tab_id) do update set
            state = excluded.state, expires_at = excluded.expires_at, changed_at = case
              when known.state = excluded.state and known.expires_at > now() then known.changed_at
              else excluded.changed_at
            end
          returning identifier as room, user_id, tab_id, changed_at = now()::timestamptz(3) as is_new
        ), announced as (
          insert into ${liveOutbox} (payload) select json_build_object(
            'kind', 'presence', 'room', room, 'tab_id', case when count(*) = 1 then min(tab_id) end
          ) from kept where is_new group by room
        )
        select distinct room, user_id from kept where is_new`)
      if (news.length === 0) return
      notifySoon(db)
      await removeOldest(db, news)
    },

    /** Removes a tab of the user, or all of them. */
    leave: (room: Room, userId: number, tabId?: string) =>
      db.transaction(async (tx) => {
        const theirs = and(eq(presences.identifier, room), eq(presences.userId, userId))
        const left = await forget(tx, tabId === undefined ? theirs : and(theirs, eq(presences.tabId, tabId)))
        await announce(tx, left, tabId)
      }),

    async in(rooms: Room[]): Promise<Map<Room, Present[]>> {
      if (rooms.length === 0) return new Map()
      const rows = await db
        .selectDistinctOn([presences.identifier, presences.userId], {
          room: presences.identifier,
          present: { user_id: presences.userId, name: users.name, picture: users.picture, state: presences.state },
        })
        .from(presences)
        .innerJoin(users, eq(users.id, presences.userId))
        .where(and(inArray(presences.identifier, rooms), gt(presences.expiresAt, sql`now()`)))
        .orderBy(presences.identifier, presences.userId, desc(presences.changedAt), presences.tabId)
      const present = new Map<Room, Present[]>(rooms.map((room) => [room, []]))
      for (const row of rows) present.get(row.room)?.push({ ...row.present, picture: pathOf(row.present.picture) })
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
  announce(tx, await tx.select({ room: presences.identifier }).from(presences).where(eq(presences.userId, userId)))

// Whatever locks several rows uses this order or skips locked rows. Otherwise, deadlocks are possible.
const key = [presences.identifier, presences.userId, presences.tabId]

async function forget(tx: Tx, which: SQL | undefined) {
  const locked = tx.select({ tabId: presences.tabId }).from(presences).where(which)
  await locked.orderBy(...key).for('update')
  return tx.delete(presences).where(which).returning({ room: presences.identifier })
}

/** After the commit of newcomers, so that the last of several that come at once sees them all. */
const removeOldest = (db: Database, newcomers: { room: Room; user_id: string }[]) =>
  db.execute(sql`
    delete from ${presences} where ctid = any(array(
      select ctid from ${presences} where ctid = any(array(
        select oldest.ctid from json_to_recordset(${JSON.stringify(newcomers)}::json) as who(room text, user_id bigint)
        cross join lateral (
          select ctid from ${presences} where identifier = who.room and user_id = who.user_id
          order by changed_at desc, tab_id offset ${maxTabs}
        ) oldest
      )) for update skip locked
    ))`)

const announce = (tx: Tx, changes: { room: Room }[], tabId: string | null = null) =>
  Promise.all(changes.map(({ room }) => publish(tx, { kind: 'presence', room, tab_id: tabId })))
