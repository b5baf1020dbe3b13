import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { presences, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import { publish } from './broadcast.ts'
import type { Room } from './channel.ts'

/** Somebody who is here, once however many tabs they have open; their state is that of the tab that changed last. */
export type Present = { user_id: number; name: string; state: unknown }
export type Place = { room: Room; userId: number; tabId: string }
export type State = Record<string, unknown>

export type Presence = ReturnType<typeof createPresence>

const mostTabs = 20 // of a person in one room

/** Who is where, by the database's clock, which all processes share. A heartbeat every 15 s keeps an entry for 30. */
export function createPresence(db: Database) {
  const inThirtySeconds = sql`now() + interval '30 seconds'`
  const isHere = gt(presences.expiresAt, sql`now()`)
  const entry = and(
    eq(presences.identifier, sql.placeholder('room')),
    eq(presences.userId, sql.placeholder('userId')),
    eq(presences.tabId, sql.placeholder('tabId')),
  )

  const person = { user_id: presences.userId, name: users.name, state: presences.state }
  const personOfTab = [presences.identifier, presences.userId, sql`${presences.changedAt} desc`, presences.tabId]

  // Most heartbeats change nothing that others could see, so one statement is all they cost.
  const prolonged = db.$with('prolonged').as(
    db
      .update(presences)
      .set({ expiresAt: inThirtySeconds })
      .where(and(entry, isHere, eq(presences.state, sql`${sql.placeholder('state')}::jsonb`)))
      .returning({ tabId: presences.tabId }),
  )
  const prolong = db
    .with(prolonged)
    .selectDistinctOn([presences.userId], { person })
    .from(presences)
    .innerJoin(users, eq(users.id, presences.userId))
    .where(and(eq(presences.identifier, sql.placeholder('room')), isHere, sql`exists (select from ${prolonged})`))
    .orderBy(...personOfTab.slice(1))
    .prepare('prolong_presence')

  const list = db
    .selectDistinctOn([presences.identifier, presences.userId], { room: presences.identifier, person })
    .from(presences)
    .innerJoin(users, eq(users.id, presences.userId))
    .where(
      and(sql`${presences.identifier} in (select json_array_elements_text(${sql.placeholder('rooms')}::json))`, isHere),
    )
    .orderBy(...personOfTab)
    .prepare('list_presence')

  /** All but the tabs that came or changed last. */
  const tabsTooMany = (room: Room, userId: number) =>
    db
      .select({ ctid: sql`ctid` })
      .from(presences)
      .where(and(eq(presences.identifier, room), eq(presences.userId, userId)))
      .orderBy(sql`${presences.changedAt} desc`)
      .offset(mostTabs)

  return {
    /** Gives all who are there. */
    async beat({ room, userId, tabId }: Place, state: State): Promise<Present[]> {
      const present = await prolong.execute({ room, userId, tabId, state: JSON.stringify(state) })
      if (present.length > 0) return present.map(({ person }) => person)
      const seen = { state, changedAt: sql`clock_timestamp()`, expiresAt: inThirtySeconds }
      await db.transaction(async (tx) => {
        // one tab of a person after the other, or each would take its place before the others can be counted
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`presence:${userId}:${room}`}, 0))`)
        const values = { identifier: room, userId, tabId, ...seen }
        const target = [presences.identifier, presences.userId, presences.tabId]
        await tx.insert(presences).values(values).onConflictDoUpdate({ target, set: seen })
        await tx.delete(presences).where(sql`ctid in (${tabsTooMany(room, userId)})`)
        await publish(tx, { kind: 'presence', room, tab_id: tabId })
      })
      return (await this.in([room])).get(room) ?? []
    },

    async leave({ room, userId, tabId }: Omit<Place, 'tabId'> & { tabId?: string }) {
      const theirs = and(eq(presences.identifier, room), eq(presences.userId, userId))
      const which = tabId === undefined ? theirs : and(theirs, eq(presences.tabId, tabId))
      await db.transaction(async (tx) => {
        const left = await tx.delete(presences).where(which).returning({ tabId: presences.tabId })
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

    /** Deletes who sends no heartbeats any more, and lets their rooms know. Any process may do it, also for one that died. */
    forgetExpired: () =>
      db.transaction(async (tx) => {
        const gone = await tx
          .delete(presences)
          .where(lte(presences.expiresAt, sql`now()`))
          .returning({ room: presences.identifier })
        await announceRooms(tx, gone)
      }),
  }
}

/** Somebody is nowhere any more, once the transaction has committed. */
export async function forgetPresence(tx: Tx, userId: number) {
  const left = await tx.delete(presences).where(eq(presences.userId, userId)).returning({ room: presences.identifier })
  await announceRooms(tx, left)
}

const announceRooms = (tx: Tx, those: { room: Room }[]) =>
  Promise.all(
    Array.from(new Set(those.map(({ room }) => room)), (room) => publish(tx, { kind: 'presence', room, tab_id: null })),
  )
