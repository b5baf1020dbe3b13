import type { Database } from '../database/index.ts'

export type Key = string | number
export type Params<Name extends string = string> = Record<Name, string>

/** Somebody at the door of a channel. */
export type Subscriber<Name extends string = string> = { userId: number; params: Params<Name> }
/** Somebody inside, and behind which key. */
export type Subscribed<Name extends string = string> = Subscriber<Name> & { db: Database; key: string }

/** What a feature writes to be live: who may listen to what, and what they may do there. */
export interface Channel<Name extends string = string, Message = unknown> {
  name: string
  /** The names of its parameters, which are strings. */
  params: readonly Name[]
  /**
   * For each subscriber the key whose messages they receive, undefined for whom it is not open. The same rule lets people in and looks
   * again at all who are inside, thousands at once: it should be one query.
   */
  subscribe(db: Database, subscribers: Subscriber<Name>[]): Promise<(Key | undefined)[]>
  /** Whether a message reaches this subscriber; without it, every message reaches all. */
  filter?(message: Message, subscriber: Subscribed<Name>): boolean | Promise<boolean>
  /** What clients may ask for by name. */
  actions?: Record<string, Action<Name>['run']>
  /** Whether the people inside see each other. */
  presence?: boolean
}

// As a method, so that a channel of certain parameters is still a channel.
interface Action<Name extends string> {
  run(subscriber: Subscribed<Name>, data: unknown): Promise<unknown>
}

export type Room = string

/** Where a message is heard: all who hold this key of this channel. */
export const roomOf = ({ name }: { name: string }, key: Key): Room => `${name}:${key}`
