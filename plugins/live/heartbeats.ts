import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import { batched } from './batched.ts'
import { type Channel, type Key, keysOf, type Room, roomOf } from './channel.ts'
import type { Target } from './identifier.ts'
import type { Presence } from './presence.ts'

/** The session is present in this tab. */
export type Heartbeat = Target & { sessionToken: string; tabId: string; state: object }

type App = { db: Database; sessionPolicy: SessionPolicy }

const pauseMs = 50

/**
 * Every open page sends heartbeats, so many of them share a few statements. Returns the room of each, or undefined
 * without access. Those without a session are missing.
 */
export const createHeartbeats = ({ db, sessionPolicy }: App, presence: Presence) =>
  batched(async (heartbeats: Heartbeat[]) => {
    const users = await usersOf(db, heartbeats, sessionPolicy)
    const known = heartbeats.flatMap((heartbeat) => {
      const userId = users.get(heartbeat.sessionToken)
      return userId === undefined ? [] : [{ ...heartbeat, heartbeat, userId }]
    })
    const keys = await keysOf(db, known)
    const places = known.map((each) => ({ ...each, room: placeIn(each.channel, keys.get(each)) }))
    await presence.keep(places.flatMap(({ room, ...tab }) => (room === undefined ? [] : [{ ...tab, room }])))
    return new Map<Heartbeat, Room | undefined>(places.map(({ heartbeat, room }) => [heartbeat, room]))
  }, pauseMs)

const placeIn = (channel: Channel, key: Key | undefined) =>
  channel.presence && key !== undefined ? roomOf(channel, key) : undefined

async function usersOf(db: Database, heartbeats: Heartbeat[], policy: SessionPolicy) {
  const tokens = JSON.stringify([...new Set(heartbeats.map(({ sessionToken }) => sessionToken))])
  const isTheirs = eq(sessions.token, sql`asked.token`)
  const rows = await db.execute<{ token: string; user_id: string }>(sql`
    select token, own.user_id from json_array_elements_text(${tokens}::json) as asked(token) cross join lateral (
      select ${sessions.userId} from ${sessions} where ${and(isTheirs, policy.isActive())} limit 1
    ) own`)
  return new Map(rows.map(({ token, user_id }) => [token, Number(user_id)]))
}
