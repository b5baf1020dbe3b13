import { and, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { presences, sessions, users } from '../../drizzle/schema.ts'
import { picturePath } from '../composition.ts'
import type { Database, Tx } from '../database/index.ts'
import { bus, payloadOf, publish, type Room } from './broadcast.ts'

type Tab = { room: Room; userId: number; tabId: string }

const maxTabs = 20 // per user and room

export type Presence = ReturnType<typeof createPresence>

/** Who is where, by the database's clock, which all processes share. Heartbeats every 15 s renew an entry for 30 s. */
export function createPresence(db: Database) {
  /**
   * One statement, which locks the session before the entry, as whatever ends a session does. False if it has ended.
   */
  async function enter({ room, userId, sessionToken, tabId, state }: Tab & { sessionToken: string; state: object }) {
    const announcement = payloadOf({ kind: 'presence', room, tab_id: tabId })
    const { rows } = await db.execute<{ is_new: boolean }>(sql`
      with session as materialized (
        select from ${sessions} where ${eq(sessions.token, sessionToken)} for share
      ), entered as (
        insert into ${presences} as entry (identifier, user_id, tab_id, state, expires_at)
        select ${room}, ${userId}::bigint, ${tabId}, ${JSON.stringify(state)}::jsonb, now() + interval '30 seconds'
        from session
        on conflict (identifier, user_id, tab_id) do update set
          state = excluded.state, expires_at = excluded.expires_at, changed_at = case
            when entry.state = excluded.state and entry.expires_at > now() then entry.changed_at
            else excluded.changed_at
          end
        returning changed_at = now()::timestamptz(3) as is_new
      ) select is_new, case when is_new then pg_notify(${bus}, ${announcement}) end from entered`)
    if (rows[0]?.is_new) await removeOldest(room, userId)
    return rows.length > 0
  }

  /** A statement of its own, so that the last of several that come at once sees them all. */
  const removeOldest = (room: Room, userId: number) =>
    db.execute(sql`
      delete from ${presences} where ctid = any(array(
        select ctid from ${presences} where identifier = ${room} and user_id = ${userId}
        order by changed_at desc, tab_id offset ${maxTabs} for update skip locked
      ))`)

  return {
    enter,

    leave(room: Room, userId: number, tabId?: string) {
      const isTab = tabId === undefined ? undefined : eq(presences.tabId, tabId)
      const which = and(eq(presences.identifier, room), eq(presences.userId, userId), isTab)
      return db.transaction((tx) => forget(tx, which, tabId))
    },

    /** Everyone in a room once, with the picture of now and the state of the tab that changed last. */
    async in(room: Room) {
      const rows = await db
        .selectDistinctOn([presences.userId], {
          user_id: presences.userId,
          name: users.name,
          picture: users.picture,
          state: presences.state,
        })
        .from(presences)
        .innerJoin(users, eq(users.id, presences.userId))
        .where(and(eq(presences.identifier, room), gt(presences.expiresAt, sql`now()`)))
        .orderBy(presences.userId, desc(presences.changedAt), presences.tabId)
      return rows.map((row) => ({ ...row, picture: picturePath(row.picture) }))
    },

    /** Deletes expired entries and announces it. Any process may do this, also for one that died. */
    forgetExpired: () => db.transaction((tx) => forget(tx, lte(presences.expiresAt, sql`now()`))),
  }
}

export const forgetPresence = (tx: Tx, userId: number) => forget(tx, eq(presences.userId, userId))

/** Locks in the order of the key, or two at once could deadlock. */
async function forget(tx: Tx, which: SQL | undefined, tabId?: string) {
  const { identifier, userId, tabId: tab } = presences
  await tx.select({ tab }).from(presences).where(which).orderBy(identifier, userId, tab).for('update')
  await announce(tx, await tx.delete(presences).where(which).returning({ room: presences.identifier }), tabId)
}

async function announce(tx: Tx, changes: { room: Room }[], tabId: string | null = null) {
  for (const room of new Set(changes.map(({ room }) => room)))
    await publish(tx, { kind: 'presence', room, tab_id: tabId })
}
