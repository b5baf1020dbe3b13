import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { liveMessages } from '../../drizzle/schema.ts'
import { NotFound } from '../http/errors.ts'
import { timingOf } from '../http/server-timing.ts'
import { authOf } from '../security/session.ts'
import { causedBy } from './broadcast.ts'
import { type Channel, roomOf, type Subscribed } from './channel.ts'
import './events.ts'
import { type Answer, createHeartbeats, type Heartbeat } from './heartbeats.ts'
import { Hub } from './hub.ts'
import { readIdentifier, readIdentifiers } from './identifier.ts'
import { createPresence } from './presence.ts'
import { Stream } from './stream.ts'

export { broadcast, recheckSubscribers } from './broadcast.ts'
export type { Channel } from './channel.ts'

type Place = { identifier: string; tabId: string }

declare module 'fastify' {
  interface FastifyInstance {
    live: {
      channel(channel: Channel): void
      /** Answers with an event stream for these identifiers. */
      open(request: FastifyRequest, reply: FastifyReply, identifiers: string[]): Promise<unknown>
      /** Runs an action of a channel. Throws NotFound without access. */
      perform(request: FastifyRequest, asked: { identifier: string; action: string; data: unknown }): Promise<unknown>
      /** Records a heartbeat. Concurrent ones are processed in a batch. */
      beat(beat: Omit<Heartbeat, 'target'> & { identifier: string }): Promise<Answer>
      /** Removes the user's presence in this tab. */
      leave(request: FastifyRequest, place: Place): Promise<void>
      /** Number of open streams. */
      streams(): number
    }
  }
}

type Options = {
  /** Interval of keep-alives and access checks, in milliseconds. */
  every: number
  /** The path of the picture with this key. */
  picturePath(key: string | null): string | null
}

export default fp<Options>(
  async (app, { every, picturePath }) => {
    const channels = new Map<string, Channel>()
    const presence = createPresence(app.db, picturePath)
    const beats = createHeartbeats(app, presence)
    const hub = new Hub(app, presence)
    const closing = new AbortController()

    // Body parsing does not keep the async context of earlier hooks.
    app.addHook('preValidation', (request, _reply, done) => {
      request.method === 'GET' ? done() : causedBy(tabOf(request), done)
    })

    app.sweeper.add({
      name: 'live_messages',
      table: liveMessages,
      key: liveMessages.id,
      isExpired: () => sql`${liveMessages.createdAt} < now() - interval '5 minutes'`,
      oldestFirst: true,
    })

    app.addHook('onReady', async () => {
      repeat(every, () => hub.round())
      repeat(1000, () => hub.catchUp())
      repeat(every / 3, () => presence.forgetExpired())
    })
    app.addHook('preClose', async () => {
      closing.abort()
      hub.endAll()
    })

    app.decorate('live', {
      channel(channel) {
        channels.set(channel.name, channel)
      },

      async open(request, reply, identifiers) {
        await hub.listen()
        const { user, session } = authOf(request)
        const stream = new Stream(reply.raw, { userId: user.id, sessionToken: session.token })
        stream.subscriptions = readIdentifiers(identifiers, channels).map((asked) => {
          return { ...asked, stream, rejected: false }
        })
        hub.add(stream)
        reply.raw.once('close', () => hub.remove(stream))
        try {
          const frames = await hub.admit(stream)
          reply.hijack()
          stream.open({ ...reply.getHeaders(), 'server-timing': timingOf(request, reply) }, frames ?? [])
        } catch (error) {
          hub.remove(stream)
          throw error
        }
        // The client may have disconnected meanwhile, or the shutdown may have begun.
        if (reply.raw.destroyed || closing.signal.aborted) hub.end(stream)
      },

      streams: () => hub.size,

      async perform(request, { identifier, action, data }) {
        const inside = await subscribed(request, identifier)
        const { actions = {} } = inside?.channel ?? {}
        if (!inside || !Object.hasOwn(actions, action)) throw new NotFound()
        return actions[action]?.(inside.subscriber, data)
      },

      async beat({ identifier, ...beat }) {
        return (await beats({ ...beat, target: readIdentifier(identifier, channels) })) ?? 'nobody'
      },

      async leave(request, { identifier, tabId }) {
        const inside = await subscribed(request, identifier)
        if (inside) await presence.leave({ ...placeOf(inside), tabId })
      },
    })

    async function subscribed(request: FastifyRequest, identifier: string) {
      const { channel, params } = readIdentifier(identifier, channels)
      const { user, session } = authOf(request)
      const asking = { userId: user.id, sessionToken: session.token, params }
      const [key] = await channel.subscribe(app.db, [asking])
      if (key === undefined) return undefined
      const subscriber: Subscribed = { ...asking, db: app.db, key: String(key) }
      return { channel, subscriber }
    }

    async function repeat(pause: number, work: () => Promise<unknown>) {
      for (;;) {
        await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
        if (closing.signal.aborted) return
        await work().catch((err) => app.log.warn({ err }, 'a round of the live updates failed'))
      }
    }
  },
  { name: 'live', dependencies: ['database', 'session-policy', 'sweeper', 'errors', 'server-timing'] },
)

const placeOf = ({ channel, subscriber: { key, userId } }: { channel: Channel; subscriber: Subscribed }) => ({
  room: roomOf(channel, key),
  userId,
})

const tabOf = ({ headers: { 'x-tab-id': tab } }: FastifyRequest) =>
  typeof tab === 'string' && /^[\w-]{1,64}$/.test(tab) ? tab : null
