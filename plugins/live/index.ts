import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { liveMessages } from '../../drizzle/schema.ts'
import { NotFound } from '../http/errors.ts'
import { timingOf } from '../http/server-timing.ts'
import { batched } from './batched.ts'
import { causedBy } from './broadcast.ts'
import { type Channel, type Room, roomOf } from './channel.ts'
import './events.ts'
import { createHeartbeats } from './heartbeats.ts'
import { Hub } from './hub.ts'
import { readIdentifier, readIdentifiers } from './identifier.ts'
import { createPresence, type Presence } from './presence.ts'
import { notify } from './relay.ts'
import { Stream } from './stream.ts'

export { broadcast, recheckSubscribers } from './broadcast.ts'
export type { Channel } from './channel.ts'

declare module 'fastify' {
  interface FastifyInstance {
    live: ReturnType<typeof createLive>
  }
}

type Options = {
  /** Interval of keep-alives and access checks. */
  intervalMs: number
  /** The path of the picture with this key. */
  picturePath(key: string | null): string | null
}

export default fp<Options>(
  async (app, { intervalMs, picturePath }) => {
    const presence = createPresence(app.db, picturePath)
    const hub = new Hub(app, presence)
    const closing = new AbortController()
    app.decorate('live', createLive(app, hub, presence))

    // Body parsing does not keep the async context of earlier hooks.
    app.addHook('preValidation', (request, _reply, done) => {
      request.method === 'GET' ? done() : causedBy(tabOf(request), done)
    })

    app.sweeper.add({
      table: liveMessages,
      isExpired: () => sql`${liveMessages.createdAt} < now() - interval '5 minutes'`,
      oldestFirst: true,
    })

    app.addHook('onReady', async () => {
      repeat(intervalMs, () => hub.checkStreams())
      repeat(intervalMs / 3, () => presence.forgetExpired())
      // What a process committed but did not send before it died.
      repeat(1000, async () => hub.size > 0 && notify(app.db))
    })
    app.addHook('preClose', async () => {
      closing.abort()
      hub.endAll()
    })

    async function repeat(pauseMs: number, work: () => Promise<unknown>) {
      for (;;) {
        await sleep(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
        if (closing.signal.aborted) return
        await work().catch((err) => app.log.warn({ err }, 'periodic stream check failed'))
      }
    }
  },
  { name: 'live', dependencies: ['database', 'session-policy', 'sweeper', 'errors', 'lifecycle', 'server-timing'] },
)

type PerformRequest = { identifier: string; action: string; data: unknown }
type Tab = { identifier: string; tabId: string }
type Heartbeat = Tab & { sessionToken: string; state: object; wantsAll: boolean }

function createLive(app: FastifyInstance, hub: Hub, presence: Presence) {
  const { db, lifecycle } = app
  const channels = new Map<string, Channel>()
  const heartbeats = createHeartbeats(app, presence)
  const listsOf = batched((rooms: Room[]) => presence.in([...new Set(rooms)]))

  /** Undefined without access. */
  async function subscriberOf(request: FastifyRequest, identifier: string) {
    const { channel, params } = readIdentifier(identifier, channels)
    const { user, session } = request.signedIn
    const subscriber = { userId: user.id, sessionToken: session.token, params }
    const [key] = await channel.subscribe(db, [subscriber])
    return key === undefined ? undefined : { ...subscriber, db, key: String(key), channel, room: roomOf(channel, key) }
  }

  return {
    channel(channel: Channel) {
      channels.set(channel.name, channel)
    },

    /** Answers with an event stream for these identifiers. */
    async open(request: FastifyRequest, reply: FastifyReply, identifiers: string[]) {
      await hub.listen()
      const { user, session } = request.signedIn
      const targets = readIdentifiers(identifiers, channels)
      const stream = new Stream(reply.raw, { userId: user.id, sessionToken: session.token }, targets)
      reply.raw.once('close', () => hub.remove(stream))
      const frames = await hub.admit(stream)
      reply.hijack()
      stream.open({ ...reply.getHeaders(), 'server-timing': timingOf(request, reply) }, frames)
      // The client may have disconnected meanwhile, its session may have ended, or the shutdown may have begun.
      if (!hub.has(stream) || lifecycle.closing) hub.end(stream)
    },

    /** Number of open streams. */
    streams: () => hub.size,

    /** Runs an action of a channel. Throws NotFound without access. */
    async perform(request: FastifyRequest, { identifier, action, data }: PerformRequest) {
      const inside = await subscriberOf(request, identifier)
      const { actions = {} } = inside?.channel ?? {}
      if (!inside || !Object.hasOwn(actions, action)) throw new NotFound()
      return actions[action]?.(inside, data)
    },

    /**
     * The session is present in this tab. Returns who is, if `wantsAll`, or undefined if the session has ended. Throws
     * NotFound without access.
     */
    async heartbeat({ identifier, wantsAll, ...tab }: Heartbeat) {
      const heartbeat = { ...tab, ...readIdentifier(identifier, channels) }
      const rooms = await heartbeats(heartbeat)
      if (!rooms.has(heartbeat)) return undefined
      const room = rooms.get(heartbeat)
      if (room === undefined) throw new NotFound()
      return wantsAll ? (await listsOf(room)).get(room) : []
    },

    /** Removes the user's presence in this tab. */
    async leave(request: FastifyRequest, { identifier, tabId }: Tab) {
      const inside = await subscriberOf(request, identifier)
      if (inside) await presence.leave(inside.room, inside.userId, tabId)
    },
  }
}

const tabOf = ({ headers: { 'x-tab-id': tab } }: FastifyRequest) =>
  typeof tab === 'string' && /^[\w-]{1,64}$/.test(tab) ? tab : null
