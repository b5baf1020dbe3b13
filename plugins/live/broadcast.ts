import { AsyncLocalStorage } from 'node:async_hooks'
import { getTableName } from 'drizzle-orm'
import { liveMessages, liveOutbox } from '../../drizzle/schema.ts'
import { afterCommit, type Tx, withCommit } from '../database/index.ts'
import { emit } from '../events.ts'
import { type Channel, type Key, type Room, roomOf } from './channel.ts'
import { maxPayloadBytes, relayOf } from './relay.ts'

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
  emit('broadcast', {})
  return publish(tx, { kind: 'message', room: roomOf(channel, key), message, tab_id: causingTab() })
}

/** Checks a user's streams again after the transaction commits: they were signed out, or may have lost access. */
export const recheckUser = (tx: Tx, userId: number) => publish(tx, { kind: 'recheck', user: userId })

/** Like recheckUser, for all subscribers of a key. */
export const recheckSubscribers = (tx: Tx, channel: Channel, key: Key) =>
  publish(tx, { kind: 'recheck', room: roomOf(channel, key) })

/**
 * Stores events until they are sent, after the commit. The statement is part of the COMMIT's message, so that a
 * transaction with messages costs hardly more than one without.
 */
export async function publish(tx: Tx, ...events: Event[]) {
  for (const event of events) {
    const lines = outboxOf(tx)
    const line = JSON.stringify(event)
    if (Buffer.byteLength(line) <= maxPayloadBytes) lines.push(line)
    else {
      const place = lines.push('') - 1
      const [stored] = await tx.insert(liveMessages).values({ payload: line }).returning({ id: liveMessages.id })
      if (stored) lines[place] = JSON.stringify({ kind: 'stored', id: stored.id } satisfies Notification)
    }
  }
}

const outboxes = new WeakMap<Tx, string[]>()
const insert = `insert into ${getTableName(liveOutbox)} (payload)`

/** What a transaction has to say. Identical lines are stored once. */
function outboxOf(tx: Tx) {
  const known = outboxes.get(tx)
  if (known) return known
  const lines: string[] = []
  outboxes.set(tx, lines)
  withCommit(tx, () => {
    outboxes.delete(tx)
    if (lines.length === 1) return { text: `${insert} values ($1)`, parameters: lines }
    const all = JSON.stringify([...new Set(lines)])
    return { text: `${insert} select json_array_elements_text($1::json)`, parameters: [all] }
  })
  afterCommit(tx, (db) => relayOf(db).soon())
  return lines
}

const tab = new AsyncLocalStorage<string | null>()

/** Marks everything that `work` broadcasts as caused by this tab, so the tab can skip its own echo. */
export const causedBy = (tabId: string | null, work: () => void) => tab.run(tabId, work)
const causingTab = () => tab.getStore() ?? null
