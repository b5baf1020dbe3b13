import { setImmediate as breathe } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { liveMessages } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import { batches, keysOf, signedOut } from './authorize.ts'
import type { Event, Notification } from './broadcast.ts'
import { type Key, type Room, roomOf } from './channel.ts'
import type { Presence, Present } from './presence.ts'
import { bus, notify } from './relay.ts'
import { Rooms } from './rooms.ts'
import { comment, frameOf, type Stream, type Subscription } from './stream.ts'
import { together } from './together.ts'

type App = { db: Database; log: FastifyBaseLogger; sessionPolicy: SessionPolicy }

// To write to ten thousand streams takes longer than a request should wait.
const signsAtOnce = 250

const mostOfUser = 30

/** All streams of this process, behind one connection that listens for all of them. */
export class Hub {
  readonly #app: App
  readonly #presence: Presence
  readonly #rooms: Rooms
  readonly #streams = new Set<Stream>()
  readonly #ofUser = new Map<number, Set<Stream>>()
  #listening: Promise<void> | undefined
  #handled: Promise<unknown> = Promise.resolve()

  constructor(app: App, presence: Presence) {
    this.#app = app
    this.#presence = presence
    this.#rooms = new Rooms(app.db, (doubted, err) => this.#disconnect(doubted, err))
  }

  /** Listens once there is somebody to listen for. postgres.js connects again whenever the connection is lost. */
  listen() {
    this.#listening ??= new Promise((resolve) => {
      let isFirst = true
      const onListening = () => {
        // What was said meanwhile nobody heard: pages that connect again load what they show.
        if (!isFirst) this.endAll()
        isFirst = false
        resolve()
      }
      this.#app.db.$client
        .listen(bus, (payload) => this.#receive(payload), onListening)
        .catch((err) => {
          this.#app.log.warn({ err }, 'live updates wait for the database')
        })
    })
    return this.#listening
  }

  /** Before its first check, so that no revocation can slip in between. One too many of a person takes the place of their oldest. */
  add(stream: Stream) {
    this.#streams.add(stream)
    const own = this.#ofUser.get(stream.userId) ?? new Set()
    this.#ofUser.set(stream.userId, own.add(stream))
    const [oldest] = own
    if (oldest && own.size > mostOfUser) this.end(oldest)
  }

  remove(stream: Stream) {
    this.#streams.delete(stream)
    const own = this.#ofUser.get(stream.userId)
    own?.delete(stream)
    if (own?.size === 0) this.#ofUser.delete(stream.userId)
    for (const subscription of stream.subscriptions) this.#leave(subscription)
  }

  /** Asks for all subscriptions of a new stream, and gives the frames that tell the answers. */
  admit = together(async (streams: Stream[]) => {
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

  /** What is due every 15 seconds: a sign of life, and the question whether all streams may still see what they see. */
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

  /** Tells for processes that died between a commit and the news of it. */
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

  // One after the other: a message that has to be fetched must not be overtaken.
  #receive(payload: string) {
    this.#handled = this.#handled
      .then(async () => {
        for (const line of payload.split('\n')) await this.#handle(JSON.parse(line))
      })
      .catch((err) => {
        this.#app.log.error({ err }, 'a live event was lost')
        this.endAll()
      })
  }

  async #handle(notification: Notification) {
    if (notification.kind !== 'stored') return this.#act(notification)
    const [stored] = await this.#app.db.select().from(liveMessages).where(eq(liveMessages.id, notification.id))
    if (!stored) throw new Error('a stored message is gone')
    return this.#act(JSON.parse(stored.payload))
  }

  // Whatever follows a revocation waits for its outcome; nothing waits for filters and lists.
  #act(event: Event) {
    if (event.kind === 'message') this.#rooms.deliver(event.room, event)
    else if (event.kind === 'presence') this.#announce(event)
    else return this.#recheck(this.#concernedBy(event))
    return undefined
  }

  #concernedBy(event: Event & { kind: 'recheck' }): Iterable<Stream> {
    if ('user' in event) return this.#ofUser.get(event.user) ?? []
    return new Set(Array.from(this.#rooms.in(event.room), ({ stream }) => stream))
  }

  #announce({ room, tab_id }: Event & { kind: 'presence' }) {
    this.#rooms.announce(room, tab_id, this.#presence)?.catch((err) => this.#disconnect([...this.#rooms.in(room)], err))
  }

  /** They missed something, so they have to load what they show. */
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

  // Answers may come in any order; a refusal is never taken back.
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
