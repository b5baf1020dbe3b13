import { and, eq, sql } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import type { Key } from './channel.ts'
import type { Stream, Subscription } from './stream.ts'

// Streams checked per query: few queries per round, and no noticeable pause of the event loop.
const batchSize = 2_500

/** The streams whose session has ended. */
export async function signedOut(db: Database, streams: Iterable<Stream>, policy: SessionPolicy) {
  const ended: Stream[] = []
  for (const batch of batches(streams, batchSize)) {
    const tokens = JSON.stringify(batch.map(({ sessionToken }) => sessionToken))
    const rows = await db.execute<{ token: string }>(sql`
      select token from json_array_elements_text(${tokens}::json) as asked(token)
      where not exists (select from ${sessions} where ${and(eq(sessions.token, sql`asked.token`), policy.alive())})`)
    const gone = new Set(rows.map(({ token }) => token))
    ended.push(...batch.filter(({ sessionToken }) => gone.has(sessionToken)))
  }
  return ended
}

/** The key that each subscription has access to, or undefined. */
export async function keysOf(db: Database, subscriptions: Iterable<Subscription>) {
  const keys = new Map<Subscription, Key | undefined>()
  for (const [channel, ofChannel] of Map.groupBy(subscriptions, ({ channel }) => channel)) {
    for (const batch of batches(ofChannel, batchSize)) {
      const subscribers = batch.map(({ stream: { userId, sessionToken }, params }) => ({
        userId,
        sessionToken,
        params,
      }))
      const found = await channel.subscribe(db, subscribers)
      for (const [index, subscription] of batch.entries()) keys.set(subscription, found[index])
    }
  }
  return keys
}

export function* batches<T>(all: Iterable<T>, size: number) {
  const list = [...all]
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size)
}
