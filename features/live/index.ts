import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Value } from 'typebox/value'
import { isDeeperThan } from '../../plugins/live/depth.ts'
import { createPace } from '../../plugins/security/limits/pace.ts'
import { limits } from '../../plugins/security/limits/table.ts'
import { authOf } from '../../plugins/security/session.ts'
import { paths } from '../paths.ts'
import { AbsenceBody, Identifiers, PerformBody, PresenceBody, StreamQuery } from './schemas.ts'

const longestState = 1024 // bytes
const deepestState = 8
// An escaped NUL or half of a surrogate pair, which Postgres stores in no text; after an even number of backslashes it is one.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** What happens in the channels of other features, as it happens, and what can be done there. */
export const live: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, unattended: true } // pages that are left open do all of this too
  })

  // A HEAD would get headers and then wait for the end of something that has none.
  const stream = { schema: { querystring: StreamQuery }, exposeHeadRoute: false, config: { endless: true } } as const
  app.get(paths.live().url, stream, async (request, reply) => {
    const identifiers = parse(request.query.s)
    if (!Value.Check(Identifiers, identifiers)) return reply.sendError(400)
    await app.live.open(request, reply, identifiers)
    return reply
  })

  await app.register(writes)
}

const writes: FastifyPluginAsyncTypebox = async (app) => {
  const pace = createPace({ ...limits.live_write, now: app.now })
  app.addHook('onRequest', async (request, reply) => {
    const wait = pace.count(authOf(request).session.token)
    if (wait > 0) return refuse(reply, wait)
  })

  app.post(paths.perform().url, { schema: { body: PerformBody } }, async (request, reply) => {
    const { identifier, action, data } = request.body
    await app.live.perform(request, { identifier, action, data })
    return reply.code(204).send()
  })

  app.post(paths.announcePresence().url, { schema: { body: PresenceBody } }, async (request, reply) => {
    const { identifier, tab_id: tabId, state } = request.body
    if (!isState(state)) return reply.sendError(400)
    return { present: await app.live.beat(request, { identifier, tabId }, state ?? {}) }
  })

  app.delete(paths.endPresence().url, { schema: { body: AbsenceBody } }, async (request, reply) => {
    const { identifier, tab_id: tabId } = request.body
    await app.live.leave(request, { identifier, tabId })
    return reply.code(204).send()
  })
}

// Nobody sees a page after these, so there is none to lead back to.
const refuse = (reply: FastifyReply, seconds: number) =>
  reply
    .code(429)
    .header('retry-after', seconds)
    .send({ status: 429, error: 'Too Many Requests', message: 'Try again later.' })

function isState(state: unknown) {
  if (isDeeperThan(deepestState, state)) return false
  const json = JSON.stringify(state ?? {})
  return Buffer.byteLength(json) <= longestState && !unstorable.test(json)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
