import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Value } from 'typebox/value'
import { paths } from '../paths.ts'
import { AbsenceBody, Identifiers, PerformBody, PresenceBody, StreamQuery } from './schemas.ts'

const longestState = 1024 // bytes
// An escaped NUL or half of a surrogate pair, which Postgres stores in no text; after an even number of backslashes it is one.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** What happens in the channels of other features, as it happens, and what can be done there. */
export const live: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  // A HEAD would get headers and then wait for the end of something that has none.
  const stream = { schema: { querystring: StreamQuery }, exposeHeadRoute: false }
  app.get(paths.live().url, stream, async (request, reply) => {
    const identifiers = parse(request.query.s)
    if (!Value.Check(Identifiers, identifiers)) return reply.sendError(400)
    await app.live.open(request, reply, identifiers)
    return reply
  })

  app.post(paths.perform().url, { schema: { body: PerformBody } }, async (request, reply) => {
    const { identifier, action, data } = request.body
    await app.live.perform(request, { identifier, action, data })
    return reply.code(204).send()
  })

  app.post(paths.announcePresence().url, { schema: { body: PresenceBody } }, async (request, reply) => {
    const { identifier, tab_id: tabId, state } = request.body
    const json = JSON.stringify(state ?? {})
    if (Buffer.byteLength(json) > longestState || unstorable.test(json)) return reply.sendError(400)
    return { present: await app.live.beat(request, { identifier, tabId }, state ?? {}) }
  })

  app.delete(paths.endPresence().url, { schema: { body: AbsenceBody } }, async (request, reply) => {
    const { identifier, tab_id: tabId } = request.body
    await app.live.leave(request, { identifier, tabId })
    return reply.code(204).send()
  })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
