import type { FastifyInstance } from 'fastify'
import type { Database, Tx } from '../database/index.ts'
import { currentRequest } from '../http/request.ts'
import { instrument } from '../instrumentation.ts'

export type Key = string | number
export type Params<Name extends string = string> = Record<Name, string>

export type Subscriber<Name extends string = string> = { userId: number; sessionToken: string; params: Params<Name> }
type Subscribed<Name extends string> = Subscriber<Name> & { db: Database; key: string }

/** What a feature makes live: who may listen, and what they may do there. */
export interface Channel<Name extends string = string, Message = unknown> {
  name: string
  params: readonly Name[]
  /** Each subscriber's key, or undefined without access. A single query, since it checks thousands at a time. */
  subscribe(db: Database, subscribers: Subscriber<Name>[], app: FastifyInstance): Promise<(Key | undefined)[]>
  /** Whether a subscriber receives a message. Without a filter, all messages reach all subscribers. */
  filter?(message: Message, subscriber: Subscribed<Name>): boolean | Promise<boolean>
  actions?: Record<string, Action<Name>['run']>
  presence?: boolean
}

// Declared as a method for its bivariance, so that a channel with specific parameters is assignable to Channel.
interface Action<Name extends string> {
  run(subscriber: Subscribed<Name>, data: unknown): Promise<unknown>
}

export type Room = string

export const roomOf = ({ name }: { name: string }, key: Key): Room => `${name}:${key}`

export type Event =
  | { kind: 'message'; room: Room; message: unknown; tab_id: string | null }
  | { kind: 'presence'; room: Room; tab_id: string | null }
  | { kind: 'recheck'; user: number }
  | { kind: 'recheck'; room: Room }

export const bus = 'live'
const maxBytes = 7_999 // of a notification

let sequence = 0

/** Postgres delivers equal payloads of a transaction once, hence the number. */
export function payloadOf(event: Event) {
  const payload = JSON.stringify({ n: ++sequence, ...event })
  if (Buffer.byteLength(payload) > maxBytes) throw new Error(`a live message must not be longer than ${maxBytes} bytes`)
  return payload
}

/** Reaches all processes after the commit, and none after a rollback. */
export const publish = async (tx: Tx, event: Event) => tx.notify(bus, payloadOf(event))

/** Sends a message to all subscribers of a key. Throws if it is too long. */
export function broadcast<Message>(tx: Tx, channel: Channel<string, Message>, key: Key, message: Message) {
  instrument('broadcast', {})
  return publish(tx, { kind: 'message', room: roomOf(channel, key), message, tab_id: currentTab() })
}

/** Checks a user's streams again after the commit: they were signed out, or may have lost access. */
export const recheckUser = (tx: Tx, userId: number) => publish(tx, { kind: 'recheck', user: userId })

export const recheckSubscribers = (tx: Tx, channel: Channel, key: Key) =>
  publish(tx, { kind: 'recheck', room: roomOf(channel, key) })

function currentTab() {
  const tab = currentRequest()?.headers['x-tab-id']
  return typeof tab === 'string' && /^[\w-]{1,64}$/.test(tab) ? tab : null
}
