import { setImmediate as breathe } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import { batches, keysOf, signedOut } from './authorize.ts'
import { batched } from './batched.ts'
import type { Event } from './broadcast.ts'
import { type Key, type Room, roomOf } from './channel.ts'
import type { Presence, Present } from './presence.ts'
import { receive } from './receive.ts'
import { notify } from './relay.ts'
import { Rooms } from './rooms.ts'
import { comment, frameOf, type Stream, type Subscription } from './stream.ts'
import { Streams } from './streams.ts'

type App = { db: Database; log: FastifyBaseLogger; sessionPolicy: SessionPolicy }

// Writing to ten thousand streams in one go would delay requests.
const signsAtOnce = 250

/** All streams of this process, served by a single listening connection. */
export class Hub {
  readonly #app: App
  readonly #presence: Presence
  readonly #rooms: Rooms
  readonly #streams = new Streams()
  #listening: Promise<void> | undefined

  constructor(app: App, presence: Presence) {
    this.#app = app
    this.#presence = presence
    this.#rooms = new Rooms(app.db, (doubted, err) => this.#disconnect(doubted, err))
  }

  /** Listens as soon as there is a stream. After a gap, pages reconnect and reload what they show. */
  listen() {
    this.#listening ??= receive(this.#app, { act: (event) => this.#act(event), onGap: () => this.endAll() })
    return this.#listening
  }

  /**
   * Call it before the stream's first check, so no revocation is missed. Beyond the limit, a user's oldest stream is
   * closed.
   */
  add(stream: Stream) {
    const oldest = this.#streams.add(stream)
    if (oldest) this.end(oldest)
  }

  remove(stream: Stream) {
    this.#streams.delete(stream)
    for (const subscription of stream.subscriptions) this.#leave(subscription)
  }

  /** Resolves all subscriptions of a new stream and returns its first frames. */
  admit = batched(async (streams: Stream[]) => {
    const asked = streams.flatMap(({ subscriptions }) => subscriptions)
    for (const [subscription, key] of await keysOf(this.#app.db, asked)) this.#settle(subscription, key)
    const rooms = asked.flatMap(({ channel, room }) => (channel.presence && room ? [room] : []))
    const present = await this.#presence.in(rooms)
    return new Map(streams.map((stream) => [stream, this.#welcome(stream, present)]))
  })

  #welcome({ subscriptions }: Stream, present: Map<Room, Present[]>) {
    return subscriptions.flatMap(({ identifier, channel, room, rejected }) => {
      if (rejected || !room) return [frameOf({ type: 'reject_subscription', identifier })]
      const confirmed = frameOf({ type: 'confirm_subscription', identifier })
      const here = present.get(room)
      if (!channel.presence || !here) return [confirmed]
      this.#rooms.remember(room, here)
      return [confirmed, frameOf({ identifier, type: 'presence', present: here, tab_id: null })]
    })
  }

  /** Runs every 15 seconds: sends keep-alives and checks that every stream still has access. */
  async round() {
    for (const some of batches(this.#streams, signsAtOnce)) {
      for (const stream of some) stream.send(comment)
      await breathe()
    }
    await this.#recheck(this.#streams)
  }

  get size() {
    return this.#streams.size
  }

  /** Sends what a process committed but did not send before it died. */
  async catchUp() {
    if (this.#streams.size > 0) await notify(this.#app.db)
  }

  endAll() {
    for (const stream of this.#streams) this.end(stream)
  }

  end(stream: Stream) {
    this.remove(stream)
    stream.end()
  }

  // Events after a revocation wait for its outcome. Nothing waits for filters and presence lists.
  #act(event: Event) {
    if (event.kind === 'message') this.#rooms.deliver(event.room, event)
    else if (event.kind === 'presence') this.#announce(event)
    else return this.#recheck(this.#concernedBy(event))
    return undefined
  }

  #concernedBy(event: Event & { kind: 'recheck' }): Iterable<Stream> {
    if ('user' in event) return this.#streams.of(event.user)
    return new Set(Array.from(this.#rooms.in(event.room), ({ stream }) => stream))
  }

  #announce({ room, tab_id }: Event & { kind: 'presence' }) {
    this.#rooms.announce(room, tab_id, this.#presence)?.catch((err) => this.#disconnect([...this.#rooms.in(room)], err))
  }

  /** These subscribers missed something, so they have to reconnect and reload. */
  #disconnect(subscriptions: Subscription[], err: unknown) {
    this.#app.log.error({ err }, 'a live update failed')
    for (const { stream } of subscriptions) this.end(stream)
  }

  async #recheck(streams: Iterable<Stream>) {
    const asked = [...streams]
    if (asked.length === 0) return
    for (const stream of await signedOut(this.#app.db, asked, this.#app.sessionPolicy)) this.end(stream)
    const open = asked.filter((stream) => this.#streams.has(stream))
    const inside = open.flatMap(({ subscriptions }) => subscriptions.filter(({ rejected }) => !rejected))
    for (const [subscription, key] of await keysOf(this.#app.db, inside)) this.#settle(subscription, key)
  }

  // Checks may finish in any order, but a rejection is final.
  #settle(subscription: Subscription, answer: Key | undefined) {
    const { stream, channel, rejected } = subscription
    if (rejected || !this.#streams.has(stream)) return
    const key = answer === undefined ? undefined : String(answer)
    if (key === undefined || (subscription.key ?? key) !== key) return this.#reject(subscription)
    if (subscription.room) return
    subscription.key = key
    subscription.room = roomOf(channel, key)
    this.#rooms.enter(subscription, subscription.room)
  }

  #reject(subscription: Subscription) {
    const { identifier, channel, room, stream } = subscription
    subscription.rejected = true
    this.#leave(subscription)
    if (stream.isOpen) stream.send(frameOf({ type: 'reject_subscription', identifier }))
    if (!room || !channel.presence) return
    this.#presence
      .leave({ room, userId: stream.userId })
      .catch((err) => this.#app.log.error({ err }, 'who lost access is shown for another moment'))
  }

  #leave(subscription: Subscription) {
    if (subscription.room) this.#rooms.leave(subscription, subscription.room)
  }
}
