import type { Database } from '../database/index.ts'

export type Key = string | number
export type Params<Name extends string = string> = Record<Name, string>

/** A user who wants to subscribe, in this session. */
export type Subscriber<Name extends string = string> = { userId: number; sessionToken: string; params: Params<Name> }
/** A subscribed user, and the key they have access to. */
type Subscribed<Name extends string> = Subscriber<Name> & { db: Database; key: string }

/** What a feature defines to be live: who may listen to what, and what they may do there. */
export interface Channel<Name extends string = string, Message = unknown> {
  name: string
  /** Parameter names. All values are strings. */
  params: readonly Name[]
  /**
   * Returns each subscriber's key, or undefined without access. The same rule admits new subscribers and checks
   * existing ones, thousands at a time, so it should be a single query.
   */
  subscribe(db: Database, subscribers: Subscriber<Name>[]): Promise<(Key | undefined)[]>
  /** Whether a subscriber receives a message. Without a filter, all messages reach all subscribers. */
  filter?(message: Message, subscriber: Subscribed<Name>): boolean | Promise<boolean>
  /** Actions that clients can call by name. */
  actions?: Record<string, Action<Name>['run']>
  /** Whether subscribers see each other. */
  presence?: boolean
}

// Declared as a method for its bivariance, so that a channel with specific parameters is assignable to Channel.
interface Action<Name extends string> {
  run(subscriber: Subscribed<Name>, data: unknown): Promise<unknown>
}

export type Room = string

/** Everyone with the same key of the same channel. */
export const roomOf = ({ name }: { name: string }, key: Key): Room => `${name}:${key}`
