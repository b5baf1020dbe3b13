import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { liveMessages, liveOutbox } from '../../drizzle/schema.ts'
import { afterCommit, type Tx } from '../database/index.ts'
import { tell } from '../happenings.ts'
import { type Channel, type Key, type Room, roomOf } from './channel.ts'
import { longest, relayOf } from './relay.ts'

/** Messages between processes. */
export type Event =
  | { kind: 'message'; room: Room; message: unknown; tab_id: string | null }
  | { kind: 'presence'; room: Room; tab_id: string | null }
  | { kind: 'recheck'; user: number }
  | { kind: 'recheck'; room: Room }

/** An event too long for a notification is stored in a table. */
export type Notification = Event | { kind: 'stored'; id: number }

/**
 * Sends a message to all subscribers of a key, in all processes, after the transaction commits. Nothing is sent after a
 * rollback. Identical messages in one transaction are sent once.
 */
export const broadcast = <Message>(tx: Tx, channel: Channel<string, Message>, key: Key, message: Message) => {
  tell('broadcast', {})
  return publish(tx, { kind: 'message', room: roomOf(channel, key), message, tab_id: causingTab() })
}

/** Checks a user's streams again after the transaction commits: they were signed out, or may have lost access. */
export const recheckUser = (tx: Tx, userId: number) => publish(tx, { kind: 'recheck', user: userId })

/** Like recheckUser, for all subscribers of a key. */
export const recheckSubscribers = (tx: Tx, channel: Channel, key: Key) =>
  publish(tx, { kind: 'recheck', room: roomOf(channel, key) })

/** Notifies after the commit, so that transactions do not wait for each other's notifications. */
export async function publish(tx: Tx, ...events: Event[]) {
  if (events.length === 0) return
  afterCommit(tx, (db) => relayOf(db).soon())
  const payloads = events.map((event) => JSON.stringify(event))
  const { short = [], long = [] } = Object.groupBy(payloads, (text) =>
    Buffer.byteLength(text) <= longest ? 'short' : 'long',
  )
  if (short.length > 0) {
    await tx.execute(sql`
      insert into ${liveOutbox} (payload) select payload from json_array_elements_text(${JSON.stringify(short)}::json)
      with ordinality said(payload, n) order by n`)
  }
  for (const payload of long) {
    await tx.execute(sql`
      with stored as (insert into ${liveMessages} (payload) values (${payload}) returning id)
      insert into ${liveOutbox} (payload) select json_build_object('kind', 'stored', 'id', id)::text from stored`)
  }
}

const tab = new AsyncLocalStorage<string | null>()

/** Marks everything that `work` broadcasts as caused by this tab, so the tab can skip its own echo. */
export const causedBy = (tabId: string | null, work: () => void) => tab.run(tabId, work)
const causingTab = () => tab.getStore() ?? null
