import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isStorable } from '../../plugins/database/index.ts'
import { parseJson } from '../../plugins/http/bodies.ts'
import { tryLater } from '../../plugins/security/limits/index.ts'
import { limits } from '../../plugins/security/limits/table.ts'
import { paths } from '../paths.ts'

const Identifier = Type.String({ maxLength: 512 })
const TabId = Type.String({ pattern: '^[\\w-]{1,64}$' })

const Identifiers = Type.Array(Identifier, { maxItems: 32 })

const PerformBody = Type.Object({ identifier: Identifier, action: Type.String(), data: Type.Optional(Type.Unknown()) })
const AbsenceBody = Type.Object({ identifier: Identifier, tab_id: TabId })
const PresenceBody = Type.Object({
  ...AbsenceBody.properties,
  state: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
})

/** Live updates: the event stream, presence, and the actions of channels that other features define. */
export const live: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRoute', (route) => {
    // Open pages do this without a person being there.
    route.config = { ...route.config, unattended: true, answersJson: true }
  })

  // Counted by this process only: a database write for each of them would cost more than they do.
  const { max, windowSeconds } = limits.live_write
  const writes = new Map<string, { count: number; ends: number }>()
  async function rateLimit(request: FastifyRequest, reply: FastifyReply) {
    const now = app.now().getTime()
    for (const [token, { ends }] of writes) {
      if (ends > now) break // all windows have the same length, so the map is ordered by their ends
      writes.delete(token)
    }
    const { token } = request.signedIn.session
    const { count, ends } = writes.get(token) ?? { count: 0, ends: now + windowSeconds * 1000 }
    writes.set(token, { count: count + 1, ends })
    if (count < max) return
    reply.header('retry-after', Math.ceil((ends - now) / 1000))
    return reply.sendError(429, { json: true, message: tryLater.text })
  }
  const onRequest = [app.requireUser, rateLimit]

  const stream = {
    onRequest: app.requireUser,
    schema: { querystring: Type.Object({ s: Type.String() }) },
    exposeHeadRoute: false, // a HEAD would send headers and then wait for a stream that never ends
    config: { streaming: true },
  } as const
  app.get(paths.live().url, stream, async (request, reply) => {
    const identifiers = parseJson(request.query.s) as string[]
    if (!request.validateInput(identifiers, Identifiers)) return reply.sendError(400)
    await app.live.open(request, reply, identifiers)
    return reply
  })

  app.post(paths.perform().url, { onRequest, schema: { body: PerformBody } }, async (request, reply) => {
    await app.live.perform(request, request.body)
    return reply.code(204).send()
  })

  app.delete(paths.endPresence().url, { onRequest, schema: { body: AbsenceBody } }, async (request, reply) => {
    await app.live.leave(request, request.body)
    return reply.code(204).send()
  })

  // Every page with presence sends one each 15 seconds.
  const heartbeat = { onRequest, schema: { body: PresenceBody }, config: { unlogged: 'unless it fails' } } as const
  app.post(paths.announcePresence().url, heartbeat, async (request, reply) => {
    if (!isState(request.body.state)) return reply.sendError(400)
    const room = await app.live.heartbeat(request, request.body)
    // Pages hear of others through their stream.
    if (isMinimal(request)) return reply.code(204).header('preference-applied', 'return=minimal').send()
    return { present: await app.live.presentIn(room) }
  })
}

/** RFC 7240: preferences are a list, and each may have parameters. */
const isMinimal = ({ headers: { prefer } }: FastifyRequest) =>
  /(?:^|,)\s*return="?minimal"?\s*(?:[,;]|$)/i.test(String(prefer))

/** Whether it is at most 1 KiB, and can be stored. */
function isState(state: unknown) {
  try {
    return Buffer.byteLength(JSON.stringify(state ?? {}, requireStorable)) <= 1024
  } catch {
    return false // cannot be stored, or is nested too deep for the stack
  }
}

function requireStorable(key: string, value: unknown) {
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value))) throw new Error('it cannot be stored')
  return value
}
