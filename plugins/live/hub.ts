import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import { isUnsuspended } from '../security/session.ts'
import { type Event, type Key, type Room, roomOf } from './broadcast.ts'
import type { Presence } from './presence.ts'
import { frameOf, ping, type Stream, type Subscription, send } from './stream.ts'

const maxOfUser = 30
const announcementPauseMs = 50
const retryPausesMs = [500, 2_000]

export class Hub {
  readonly #app: FastifyInstance
  readonly #presence: Presence
  readonly #streams = new Set<Stream>()
  /** The same by user, in the order in which they were opened. */
  readonly #streamsByUser = new Map<number, Set<Stream>>()
  readonly #rooms = new Map<Room, Set<Subscription>>()
  readonly #announcements = new Map<Room, Set<string | null>>()
  /** Streams that get nothing more, and the timers that end them. */
  readonly #dropped = new Map<Stream, NodeJS.Timeout>()
  #handled: Promise<unknown> = Promise.resolve()

  readonly #dropMs: number

  /** Dropped streams end within `dropMs`. */
  constructor(app: FastifyInstance, presence: Presence, dropMs: number) {
    this.#app = app
    this.#presence = presence
    this.#dropMs = dropMs
  }

  /** Resolves all subscriptions of a new stream and returns its first frames. */
  async admit(stream: Stream) {
    const ofUser = this.#streamsOf(stream.userId).add(stream)
    this.#streamsByUser.set(stream.userId, ofUser)
    this.#streams.add(stream) // before the check, so no revocation is missed
    const [oldest] = ofUser
    if (oldest && ofUser.size > maxOfUser) this.end(oldest)
    await this.#authorize(stream.subscriptions)
    const frames = stream.subscriptions.map(async ({ identifier, channel, room }) => {
      if (!room) return [frameOf({ type: 'reject_subscription', identifier })]
      const confirmed = frameOf({ type: 'confirm_subscription', identifier })
      if (!channel.presence) return [confirmed]
      const present = await this.#presence.in(room)
      return [confirmed, frameOf({ identifier, type: 'presence', present, tab_id: null })]
    })
    return (await Promise.all(frames)).flat()
  }

  remove(stream: Stream) {
    clearTimeout(this.#dropped.get(stream))
    this.#dropped.delete(stream)
    this.#streams.delete(stream)
    const ofUser = this.#streamsOf(stream.userId)
    ofUser.delete(stream)
    if (ofUser.size === 0) this.#streamsByUser.delete(stream.userId)
    for (const subscription of stream.subscriptions) this.#leave(subscription)
  }

  has(stream: Stream) {
    return this.#streams.has(stream)
  }

  get size() {
    return this.#streams.size + this.#dropped.size
  }

  end(stream: Stream) {
    this.remove(stream)
    stream.end()
  }

  endAll() {
    for (const stream of [...this.#streams, ...this.#dropped.keys()]) this.end(stream)
  }

  dropAllStreams() {
    this.#drop([...this.#streams])
  }

  /**
   * For streams that may have missed something. They get nothing more, and end one by one over ten seconds: their pages
   * connect again and reload what they show, and would otherwise all come at once to a database that was just late.
   */
  #drop(streams: Stream[]) {
    for (const [n, stream] of streams.entries()) {
      this.remove(stream)
      this.#dropped.set(stream, setTimeout(() => this.end(stream), (this.#dropMs * n) / streams.length).unref())
    }
  }

  /** Runs every 15 seconds: keeps streams alive, and checks that every one still has access. */
  async checkStreams() {
    for (const stream of this.#streams) stream.send(ping)
    await this.#check([...this.#streams])
  }

  /** One event after the other, so that a message after a revocation waits for its outcome. */
  receive(payload: string) {
    this.#handled = this.#handled.then(() => this.#act(JSON.parse(payload))).catch((err) => this.#reportLost(err))
  }

  /** Pages reconnect, and load again what they show. */
  #reportLost(err: unknown) {
    this.#app.log.error({ err }, 'a live event was lost')
    this.dropAllStreams()
  }

  #act(event: Event) {
    if (event.kind === 'message') return this.#deliver(event)
    if (event.kind === 'presence') {
      this.#announce(event).catch((err) => this.#reportLost(err))
      return
    }
    if (event.kind !== 'recheck') throw new Error('a live event of another version')
    if ('user' in event) return this.#recheck([...this.#streamsOf(event.user)])
    return this.#recheck(Array.from(this.#in(event.room), ({ stream }) => stream))
  }

  #streamsOf(user: number) {
    return this.#streamsByUser.get(user) ?? new Set<Stream>()
  }

  #in(room: Room) {
    return this.#rooms.get(room) ?? new Set<Subscription>()
  }

  async #deliver({ room, message, tab_id }: Event & { kind: 'message' }) {
    const passes = async (subscription: Subscription) => {
      const { channel, key = '', stream } = subscription
      try {
        const isWanted = await (channel.filter?.(message, { ...subscription, db: this.#app.db, key }) ?? true)
        return isWanted ? [subscription] : []
      } catch (err) {
        this.#app.log.error({ err }, 'a filter failed')
        this.end(stream)
        return []
      }
    }
    send((await Promise.all(Array.from(this.#in(room), passes))).flat(), { message, tab_id })
  }

  /** Changes of one moment are sent as one list, marked with their tab if it is a single one. */
  async #announce({ room, tab_id }: Event & { kind: 'presence' }) {
    const announced = this.#announcements.get(room)
    if (announced) {
      announced.add(tab_id)
      return
    }
    if (this.#in(room).size === 0) return
    const tabs = new Set([tab_id])
    this.#announcements.set(room, tabs)
    await sleep(announcementPauseMs, undefined, { ref: false })
    this.#announcements.delete(room)
    const streams = Array.from(this.#in(room), ({ stream }) => stream)
    const present = await this.#retry(streams, () => this.#presence.in(room))
    if (present) send(this.#in(room), { type: 'presence', present, tab_id: tabs.size === 1 ? tab_id : null })
  }

  #recheck(streams: Stream[]) {
    return this.#retry(streams, () => this.#check(streams))
  }

  /** Tries again when the database is late. These streams are dropped if it stays so, but no others. */
  async #retry<Result>(streams: Stream[], work: () => Promise<Result>): Promise<Result | undefined> {
    for (const pauseMs of [...retryPausesMs, undefined]) {
      try {
        return await work()
      } catch (err) {
        if (pauseMs === undefined) {
          this.#app.log.error({ err, streams: streams.length }, 'streams could not be checked')
          this.#drop(streams.filter((stream) => this.#streams.has(stream)))
        } else {
          this.#app.log.warn({ err }, 'streams are checked again')
          await sleep(pauseMs, undefined, { ref: false })
        }
      }
    }
    return undefined
  }

  async #check(streams: Stream[]) {
    if (streams.length === 0) return
    for (const stream of await signedOut(this.#app, streams)) this.end(stream)
    await this.#authorize(streams.flatMap(({ subscriptions }) => subscriptions))
  }

  async #authorize(subscriptions: Subscription[]) {
    const open = subscriptions.filter(({ stream, rejected }) => this.has(stream) && !rejected)
    for (const [channel, subscriptions] of Map.groupBy(open, ({ channel }) => channel)) {
      const keys = await channel.subscribe(this.#app.db, subscriptions, this.#app)
      for (const [n, subscription] of subscriptions.entries()) this.#applyAccess(subscription, keys[n])
    }
  }

  // Checks may finish in any order, but a rejection is final.
  #applyAccess(subscription: Subscription, answer: Key | undefined) {
    const { stream, channel, rejected } = subscription
    if (rejected || !this.has(stream)) return
    const key = answer === undefined ? undefined : String(answer)
    if (key === undefined || (subscription.key ?? key) !== key) return this.#reject(subscription)
    if (subscription.room) return
    subscription.key = key
    subscription.room = roomOf(channel, key)
    this.#rooms.set(subscription.room, this.#in(subscription.room).add(subscription))
  }

  #reject(subscription: Subscription) {
    const { identifier, channel, room, stream } = subscription
    subscription.rejected = true
    this.#leave(subscription)
    if (stream.isOpen) stream.send(frameOf({ type: 'reject_subscription', identifier }))
    if (!room || !channel.presence) return
    this.#presence
      .leave(room, stream.userId)
      .catch((err) => this.#app.log.error({ err }, 'failed to remove presence after access was revoked'))
  }

  #leave(subscription: Subscription) {
    const { room } = subscription
    if (!room) return
    delete subscription.room
    this.#in(room).delete(subscription)
    if (this.#in(room).size === 0) this.#rooms.delete(room)
  }
}

async function signedOut({ db, sessionPolicy }: FastifyInstance, streams: Stream[]) {
  const isOpen = and(eq(sessions.token, sql`stream.token`), sessionPolicy.isActive(), isUnsuspended)
  const tokens = JSON.stringify(streams.map(({ sessionToken }) => sessionToken))
  const { rows } = await db.execute<{ token: string }>(sql`
    select token from json_array_elements_text(${tokens}::json) as stream(token)
    where not exists (select from ${sessions} join ${users} on ${users.id} = ${sessions.userId} where ${isOpen})`)
  const ended = new Set(rows.map(({ token }) => token))
  return streams.filter(({ sessionToken }) => ended.has(sessionToken))
}
