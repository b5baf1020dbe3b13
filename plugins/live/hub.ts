import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import type { SessionPolicy } from '../security/session-policy.ts'
import { batched } from './batched.ts'
import { type Key, keysOf, roomOf } from './channel.ts'
import type { Presence } from './presence.ts'
import { type Event, receive } from './relay.ts'
import { Groups, Rooms } from './rooms.ts'
import { comment, frameOf, type Stream, type Subscription } from './stream.ts'

type App = { db: Database; log: FastifyBaseLogger; sessionPolicy: SessionPolicy }

const maxOfUser = 30
// Writing to ten thousand streams in one go would delay requests.
const commentsAtOnce = 250

/** All streams of this process, served by a single listening connection. */
export class Hub {
  readonly #app: App
  readonly #presence: Presence
  readonly #streams = new Set<Stream>()
  readonly #ofUser = new Groups<number, Stream>()
  readonly #rooms: Rooms
  #listening: Promise<void> | undefined

  constructor(app: App, presence: Presence) {
    this.#app = app
    this.#presence = presence
    // They reconnect and reload what they missed.
    this.#rooms = new Rooms(app, presence, ({ stream }) => this.end(stream))
  }

  /** Listens as soon as there is a stream. After a gap, pages reconnect and reload what they show. */
  listen() {
    this.#listening ??= receive(this.#app, { act: (event) => this.#act(event), onGap: () => this.endAll() })
    return this.#listening
  }

  /** Resolves all subscriptions of a new stream and returns its first frames. */
  async admit(stream: Stream) {
    this.#add(stream) // before the check, so no revocation is missed
    const present = await this.#join(stream)
    return stream.subscriptions.flatMap(({ identifier, room, rejected }) => {
      if (rejected || !room) return [frameOf({ type: 'reject_subscription', identifier })]
      const confirmed = frameOf({ type: 'confirm_subscription', identifier })
      const here = present.get(room)
      return here ? [confirmed, frameOf({ identifier, type: 'presence', present: here, tab_id: null })] : [confirmed]
    })
  }

  // All clients may have lost their streams at once.
  #join = batched(async (streams: Stream[]) => {
    const asked = streams.flatMap(({ subscriptions }) => subscriptions)
    await this.#authorize(asked)
    const rooms = asked.flatMap(({ channel, room }) => (channel.presence && room ? [room] : []))
    return this.#presence.in([...new Set(rooms)])
  })

  /** Beyond the limit, a user's oldest stream is closed. */
  #add(stream: Stream) {
    this.#streams.add(stream)
    this.#ofUser.add(stream.userId, stream)
    const own = this.#ofUser.of(stream.userId)
    const [oldest] = own
    if (own.size > maxOfUser && oldest) this.end(oldest)
  }

  remove(stream: Stream) {
    this.#streams.delete(stream)
    this.#ofUser.delete(stream.userId, stream)
    for (const subscription of stream.subscriptions) this.#leave(subscription)
  }

  has(stream: Stream) {
    return this.#streams.has(stream)
  }

  get size() {
    return this.#streams.size
  }

  end(stream: Stream) {
    this.remove(stream)
    stream.end()
  }

  endAll() {
    for (const stream of this.#streams) this.end(stream)
  }

  /** Runs every 15 seconds: sends keep-alives and checks that every stream still has access. */
  async checkStreams() {
    let count = 0
    for (const stream of this.#streams) {
      stream.send(comment)
      if (++count % commentsAtOnce === 0) await yieldToEventLoop()
    }
    await this.#recheck([...this.#streams])
  }

  // Events after a revocation wait for its outcome. Nothing waits for filters and presence lists.
  #act(event: Event) {
    if (event.kind === 'message') this.#rooms.deliver(event)
    else if (event.kind === 'presence') this.#rooms.announce(event)
    else if ('user' in event) return this.#recheck([...this.#ofUser.of(event.user)])
    else return this.#recheck(Array.from(this.#rooms.of(event.room), ({ stream }) => stream))
    return undefined
  }

  /** Two statements and one for each further channel, however many streams there are. */
  async #recheck(streams: Stream[]) {
    if (streams.length === 0) return
    for (const stream of await signedOut(this.#app, streams)) this.end(stream)
    await this.#authorize(streams.flatMap(({ subscriptions }) => subscriptions))
  }

  async #authorize(subscriptions: Subscription[]) {
    const open = subscriptions.filter(({ stream, rejected }) => this.has(stream) && !rejected)
    for (const [subscription, key] of await keysOf(this.#app.db, open)) this.#settle(subscription, key)
  }

  // Checks may finish in any order, but a rejection is final.
  #settle(subscription: Subscription, answer: Key | undefined) {
    const { stream, channel, rejected } = subscription
    if (rejected || !this.has(stream)) return
    const key = answer === undefined ? undefined : String(answer)
    if (key === undefined || (subscription.key ?? key) !== key) return this.#reject(subscription)
    if (subscription.room) return
    subscription.key = key
    subscription.room = roomOf(channel, key)
    this.#rooms.add(subscription.room, subscription)
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
    if (subscription.room) this.#rooms.delete(subscription.room, subscription)
  }
}

async function signedOut({ db, sessionPolicy }: App, streams: Stream[]) {
  const isTheirs = eq(sessions.token, sql`asked.token`)
  const tokens = JSON.stringify(streams.map(({ sessionToken }) => sessionToken))
  const rows = await db.execute<{ token: string }>(sql`
    select token from json_array_elements_text(${tokens}::json) as asked(token)
    where not exists (select from ${sessions} where ${and(isTheirs, sessionPolicy.isActive())})`)
  const ended = new Set(rows.map(({ token }) => token))
  return streams.filter(({ sessionToken }) => ended.has(sessionToken))
}
