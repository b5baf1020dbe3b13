import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import { batched } from './batched.ts'
import { type Key, type Room, roomOf } from './channel.ts'
import type { Target } from './identifier.ts'
import type { Here, Presence, Present, State } from './presence.ts'

/** A heartbeat: the session is present at the target. `wantsAll` asks who else is. */
export type Heartbeat = { token: string; target: Target; tabId: string; state: State; wantsAll: boolean }
/** `nobody`: the session has ended. `nowhere`: the user has no access. Otherwise everyone present, if `wantsAll`. */
export type Answer = 'nobody' | 'nowhere' | Present[]

type App = { db: Database; sessionPolicy: SessionPolicy }

const maxPauseMs = 100
const pauseAfter = (heartbeats: number) => Math.min((heartbeats - 1) * 5, maxPauseMs)

/** Every open page sends heartbeats, so they are processed in batches, with a few statements per batch. */
export function createHeartbeats({ db, sessionPolicy }: App, presence: Presence) {
  return batched(async (beats: Heartbeat[]) => {
    const answers = new Map<Heartbeat, Answer>(beats.map((beat) => [beat, 'nobody']))
    const users = await usersOf(db, beats, sessionPolicy)
    for (const beat of users.keys()) answers.set(beat, 'nowhere')
    const here = await placesOf(db, users)
    await presence.keep([...here.values()])

    const curious = [...here].filter(([{ wantsAll }]) => wantsAll)
    const present = await presence.in(curious.map(([, { room }]) => room))
    for (const [beat, { room }] of here) answers.set(beat, present.get(room) ?? [])
    return answers
  }, pauseAfter)
}

async function usersOf(db: Database, beats: Heartbeat[], policy: SessionPolicy) {
  const tokens = JSON.stringify(beats.map(({ token }) => token))
  const rows = await db.execute<{ token: string; user_id: string }>(sql`
    select asked.token, own.user_id
    from (select distinct json_array_elements_text(${tokens}::json)) as asked(token) cross join lateral (
      select ${sessions.userId} from ${sessions}
      where ${and(eq(sessions.token, sql`asked.token`), policy.alive())} limit 1
    ) own`)
  const users = new Map(rows.map(({ token, user_id }) => [token, Number(user_id)]))
  return new Map(
    beats.flatMap((beat) => {
      const userId = users.get(beat.token)
      return userId === undefined ? [] : [[beat, userId] as const]
    }),
  )
}

async function placesOf(db: Database, users: Map<Heartbeat, number>) {
  const places = new Map<Heartbeat, Here>()
  for (const [channel, those] of Map.groupBy(users, ([{ target }]) => target.channel)) {
    if (!channel.presence) continue
    const subscribers = those.map(([{ target, token }, userId]) => ({
      userId,
      sessionToken: token,
      params: target.params,
    }))
    const keys = await channel.subscribe(db, subscribers)
    for (const [index, [beat, userId]] of those.entries()) {
      const room = placeBehind(channel, keys[index])
      if (room) places.set(beat, { room, userId, tabId: beat.tabId, state: beat.state })
    }
  }
  return places
}

const placeBehind = (channel: { name: string }, key: Key | undefined): Room | undefined =>
  key === undefined ? undefined : roomOf(channel, key)
