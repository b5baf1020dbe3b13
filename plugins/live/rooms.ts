import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/index.ts'
import { batched } from './batched.ts'
import type { Room } from './channel.ts'
import type { Presence } from './presence.ts'
import type { Event } from './relay.ts'
import { type Subscription, send } from './stream.ts'

/** A set for each key that has members. */
export class Groups<Key, Member> {
  readonly #groups = new Map<Key, Set<Member>>()

  add(key: Key, member: Member) {
    this.#groups.set(key, this.of(key).add(member))
  }

  delete(key: Key, member: Member) {
    const group = this.of(key)
    group.delete(member)
    if (group.size === 0) this.#groups.delete(key)
  }

  of(key: Key): Set<Member> {
    return this.#groups.get(key) ?? new Set()
  }
}

type App = { db: Database; log: FastifyBaseLogger }

/** The subscriptions of this process, by room, and what is sent to them. */
export class Rooms extends Groups<Room, Subscription> {
  readonly #app: App
  readonly #presence: Presence
  readonly #onMissed: (subscription: Subscription) => void
  #filtering: Promise<unknown> = Promise.resolve()

  /** `onMissed` is called for subscriptions that should have received something. */
  constructor(app: App, presence: Presence, onMissed: (subscription: Subscription) => void) {
    super()
    this.#app = app
    this.#presence = presence
    this.#onMissed = onMissed
  }

  deliver({ room, message, tab_id }: Event & { kind: 'message' }) {
    const all = this.of(room)
    const [first] = all
    if (!first?.channel.filter) return send(all, { message, tab_id })
    const deliver = async (subscription: Subscription) => {
      const { channel, userId, sessionToken, params, key = '' } = subscription
      const subscriber = { db: this.#app.db, userId, sessionToken, params, key }
      try {
        if (await channel.filter?.(message, subscriber)) send([subscription], { message, tab_id })
      } catch (err) {
        this.#miss([subscription], err)
      }
    }
    // Filters may be slow, but messages stay in order.
    this.#filtering = this.#filtering.then(() => Promise.all(Array.from(all, deliver)))
  }

  announce({ room, tab_id }: Event & { kind: 'presence' }) {
    if (this.of(room).size === 0) return
    this.#sendLists({ room, tab_id }).catch((err) => this.#miss([...this.of(room)], err))
  }

  #sendLists = batched(async (changes: { room: Room; tab_id: string | null }[]) => {
    const causes = Map.groupBy(changes, ({ room }) => room)
    const present = await this.#presence.in([...causes.keys()])
    for (const [room, tabs] of causes) {
      const [cause, ...others] = new Set(tabs.map(({ tab_id }) => tab_id))
      const tab_id = others.length === 0 ? cause : null
      send(this.of(room), { type: 'presence', present: present.get(room), tab_id })
    }
  })

  #miss(subscriptions: Subscription[], err: unknown) {
    this.#app.log.error({ err }, 'a live update failed')
    for (const subscription of subscriptions) this.#onMissed(subscription)
  }
}
