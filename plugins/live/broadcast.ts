import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../database/index.ts'
import { instrument } from '../instrumentation.ts'
import { type Channel, type Key, roomOf } from './channel.ts'
import { publish } from './relay.ts'

/**
 * Sends a message to all subscribers of a key, in all processes, after the transaction commits. Nothing is sent after a
 * rollback. Identical messages in one transaction are sent once.
 */
export function broadcast<Message>(tx: Tx, channel: Channel<string, Message>, key: Key, message: Message) {
  instrument('broadcast', {})
  return publish(tx, { kind: 'message', room: roomOf(channel, key), message, tab_id: tab.getStore() ?? null })
}

/** Checks a user's streams again after the transaction commits: they were signed out, or may have lost access. */
export const recheckUser = (tx: Tx, userId: number) => publish(tx, { kind: 'recheck', user: userId })

/** Like recheckUser, for all subscribers of a key. */
export const recheckSubscribers = (tx: Tx, channel: Channel, key: Key) =>
  publish(tx, { kind: 'recheck', room: roomOf(channel, key) })

const tab = new AsyncLocalStorage<string | null>()

/** Marks everything that `work` broadcasts as caused by this tab, so the tab can skip its own echo. */
export const causedBy = (tabId: string | null, work: () => void) => tab.run(tabId, work)
