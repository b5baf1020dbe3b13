import type { Database } from '../database/index.ts'

export type Key = string | number
export type Params<Name extends string = string> = Record<Name, string>

export type Subscriber<Name extends string = string> = { userId: number; sessionToken: string; params: Params<Name> }
type Subscribed<Name extends string> = Subscriber<Name> & { db: Database; key: string }

/** What a feature makes live: who may listen, and what they may do there. */
export interface Channel<Name extends string = string, Message = unknown> {
  name: string
  params: readonly Name[]
  /**
   * Returns each subscriber's key, or undefined without access. Also checks existing subscribers, thousands at a
   * time, so it should be a single query.
   */
  subscribe(db: Database, subscribers: Subscriber<Name>[]): Promise<(Key | undefined)[]>
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
