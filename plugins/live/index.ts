import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { NotFound } from '../http/errors.ts'
import { timingOf } from '../http/headers.ts'
import { SignedOut } from '../security/session-transaction.ts'
import { bus, type Channel, type Room, roomOf } from './broadcast.ts'
import { Hub } from './hub.ts'
import { createPresence, type Presence } from './presence.ts'
import { readIdentifier, Stream } from './stream.ts'

declare module 'fastify' {
  interface FastifyInstance {
    live: ReturnType<typeof createLive>
  }
}

const pingMs = 10_000

type LiveOptions = { intervalMs: number }

export default fp<LiveOptions>(
  async (app, { intervalMs }) => {
    const presence = createPresence(app.db)
    const hub = new Hub(app, presence, (intervalMs * 2) / 3)
    app.decorate('live', createLive(app, hub, presence))

    const ping = () => app.listener.check((channel) => app.db.execute(sql`select pg_notify(${channel}, '')`))
    let ticks = 0
    let pingedAt = 0
    async function tick() {
      if (hub.size === 0) return
      const isPingDue = performance.now() - pingedAt >= pingMs
      if (isPingDue) pingedAt = performance.now()
      const work = [presence.forgetExpired(), ++ticks % 3 === 0 && hub.checkStreams(), isPingDue && ping()]
      for (const { reason } of (await Promise.allSettled(work)) as PromiseRejectedResult[])
        if (reason) app.log.warn({ err: reason }, 'a periodic check of streams failed')
    }
    const timer = setInterval(tick, intervalMs / 3).unref()
    app.addHook('preClose', async () => {
      clearInterval(timer)
      hub.endAll()
    })
  },
  { name: 'live', dependencies: ['database', 'errors', 'headers'] },
)

type Perform = { identifier: string; action: string; data?: unknown }
type Tab = { identifier: string; tab_id: string }

function createLive(app: FastifyInstance, hub: Hub, presence: Presence) {
  const { db, lifecycle, listener } = app
  const channels = new Map<string, Channel>()
  let listening: Promise<void> | undefined

  /** Listens as soon as there is a stream. After a gap, pages reconnect and reload what they show. */
  function listen() {
    listening ??= listener
      .listen(
        bus,
        (payload) => hub.receive(payload),
        () => hub.dropAllStreams(),
      )
      .catch((error) => {
        listening = undefined // the next stream tries again
        throw error
      })
    return listening
  }

  /** Undefined without access. */
  async function subscriberOf(request: FastifyRequest, identifier: string) {
    const { channel, params } = readIdentifier(identifier, channels)
    const { user, session } = request.signedIn
    const subscriber = { userId: user.id, sessionToken: session.token, params }
    const [key] = await channel.subscribe(db, [subscriber], app)
    return key === undefined ? undefined : { ...subscriber, db, key: String(key), channel, room: roomOf(channel, key) }
  }

  return {
    channel(channel: Channel) {
      channels.set(channel.name, channel)
    },

    async open(request: FastifyRequest, reply: FastifyReply, identifiers: string[]) {
      await listen()
      const { user, session } = request.signedIn
      const targets = [...new Set(identifiers)].map((identifier) => readIdentifier(identifier, channels))
      const stream = new Stream(reply.raw, { userId: user.id, sessionToken: session.token }, targets)
      reply.raw.once('close', () => hub.remove(stream))
      // A client that left while we waited has been closed already, and its stream would stay for ever.
      if (reply.raw.destroyed) {
        reply.hijack()
        return
      }
      const frames = await hub.admit(stream)
      reply.hijack()
      stream.open({ ...reply.getHeaders(), 'server-timing': timingOf(request, reply) }, frames)
      // The client may have disconnected meanwhile, its session may have ended, or the shutdown may have begun.
      if (!hub.has(stream) || lifecycle.closing) hub.end(stream)
    },

    streams: () => hub.size,

    async perform(request: FastifyRequest, { identifier, action, data }: Perform) {
      const inside = await subscriberOf(request, identifier)
      const { actions = {} } = inside?.channel ?? {}
      if (!inside || !Object.hasOwn(actions, action)) throw new NotFound()
      return actions[action]?.(inside, data)
    },

    /** Returns the room. Throws NotFound without access, or SignedOut. */
    async heartbeat(request: FastifyRequest, { identifier, tab_id: tabId, state }: Tab & { state?: object | null }) {
      const inside = await subscriberOf(request, identifier)
      if (!inside?.channel.presence) throw new NotFound()
      if (!(await presence.enter({ ...inside, tabId, state: state ?? {} }))) throw new SignedOut()
      return inside.room
    },

    presentIn: (room: Room) => presence.in(room),

    async leave(request: FastifyRequest, { identifier, tab_id: tabId }: Tab) {
      const inside = await subscriberOf(request, identifier)
      if (inside) await presence.leave(inside.room, inside.userId, tabId)
    },
  }
}
