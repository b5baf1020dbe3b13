import type { Database } from '../database/index.ts'
import type { Room, Subscribed } from './channel.ts'
import type { Presence, Present } from './presence.ts'
import { type Frame, frameOf, type Subscription } from './stream.ts'

type Message = { message: unknown; tab_id: string | null }
/** Called for subscriptions whose filter failed, so it is unknown whether they should receive the message. */
type OnDoubt = (subscriptions: Subscription[], error: unknown) => void

/** The subscriptions of this process, by room. */
export class Rooms {
  readonly #db: Database
  readonly #onDoubt: OnDoubt
  readonly #rooms = new Map<Room, Listeners>()

  constructor(db: Database, onDoubt: OnDoubt) {
    this.#db = db
    this.#onDoubt = onDoubt
  }

  enter(subscription: Subscription, room: Room) {
    const listeners = this.#rooms.get(room) ?? new Listeners()
    this.#rooms.set(room, listeners.add(subscription))
  }

  leave(subscription: Subscription, room: Room) {
    if (this.#rooms.get(room)?.remove(subscription).isEmpty) this.#rooms.delete(room)
  }

  in = (room: Room): Iterable<Subscription> => this.#rooms.get(room)?.all ?? []

  deliver(room: Room, message: Message) {
    return this.#rooms.get(room)?.deliver(message, this.#db, this.#onDoubt)
  }

  /** A newcomer's list is what everyone in the room has. */
  remember(room: Room, present: Present[]) {
    this.#rooms.get(room)?.remember(present)
  }

  announce(room: Room, tabId: string | null, presence: Presence) {
    return this.#rooms.get(room)?.announce(tabId, async () => (await presence.in([room])).get(room) ?? [])
  }
}

class Listeners {
  readonly all = new Set<Subscription>()
  #filtering: Promise<unknown> = Promise.resolve()
  #known: string | undefined
  #reading = false
  #causes: (string | null)[] = []

  add(subscription: Subscription) {
    this.all.add(subscription)
    return this
  }

  remove(subscription: Subscription) {
    this.all.delete(subscription)
    return this
  }

  get isEmpty() {
    return this.all.size === 0
  }

  deliver({ message, tab_id }: Message, db: Database, onDoubt: OnDoubt) {
    const [first] = this.all
    if (!first?.channel.filter) {
      send(this.all, { message, tab_id })
      return undefined
    }
    // Filters may be slow, but messages stay in order.
    this.#filtering = this.#filtering.then(async () => {
      const { passed, failed, error } = await filtered(this.all, message, db)
      send(passed, { message, tab_id })
      if (failed.length > 0) onDoubt(failed, error)
    })
    return this.#filtering
  }

  remember(present: Present[]) {
    this.#known ??= JSON.stringify(present)
  }

  /** Concurrent changes are read and sent once. */
  async announce(tabId: string | null, read: () => Promise<Present[]>) {
    this.#causes.push(tabId)
    if (this.#reading) return
    this.#reading = true
    try {
      while (this.#causes.length > 0) {
        const [cause, ...others] = new Set(this.#causes.splice(0))
        const present = await read()
        const json = JSON.stringify(present)
        if (json === this.#known) continue // such as a second tab of a user who was already present
        this.#known = json
        send(this.all, { type: 'presence', present, tab_id: others.length === 0 ? (cause ?? null) : null })
      }
    } finally {
      this.#reading = false
    }
  }
}

/** Serializes a frame once for all subscriptions with the same identifier. */
function send(subscriptions: Iterable<Subscription>, content: object) {
  const frames = new Map<string, Frame>()
  for (const { identifier, stream, rejected } of subscriptions) {
    if (rejected) continue
    const frame = frames.get(identifier) ?? Buffer.from(frameOf({ identifier, ...content }))
    frames.set(identifier, frame)
    stream.send(frame)
  }
}

// A filter that throws affects only its own subscription.
async function filtered(subscriptions: Iterable<Subscription>, message: unknown, db: Database) {
  const passed: Subscription[] = []
  const failed: Subscription[] = []
  let error: unknown
  const decide = async (subscription: Subscription) => {
    const { channel, stream, params, key = '' } = subscription
    const subscriber: Subscribed = { db, userId: stream.userId, sessionToken: stream.sessionToken, params, key }
    try {
      if (await channel.filter?.(message, subscriber)) passed.push(subscription)
    } catch (thrown) {
      failed.push(subscription)
      error ??= thrown
    }
  }
  await Promise.all(Array.from(subscriptions, decide))
  return { passed, failed, error }
}
