import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { disown, disputedUser } from '../not-mine.ts'
import { LinkQuery, SidBody } from '../schemas.ts'

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    /** An address that somebody else signed up with. */
    not_mine: 'removed' | 'bad_link'
  }
}

/** For people who get mail because somebody else signed up with their address. They need no session. */
export const notMineRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Changes nothing, since mail scanners open links, too.
  app.get(paths.notMine().url, { schema: { querystring: LinkQuery } }, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const user = await disputedUser(app, sid)
    return user ? reply.page('identity/not-mine', { sid, email: user.email }) : refuseLink(request, reply)
  })

  const removal = {
    schema: { body: SidBody },
    config: { form: paths.home().url, rateLimit: budget('not_mine') },
  }
  app.post(paths.removeNotMine().url, removal, async (request, reply) => {
    const user = await disputedUser(app, onlyToken(request.body.sid))
    if (!user || !(await disown(app, user))) return refuseLink(request, reply)
    request.security('not_mine', 'removed', { user: user.id })
    return reply.notice(text('The account has been removed')).redirect(paths.home().url)
  })
}

function refuseLink(request: FastifyRequest, reply: FastifyReply) {
  request.security('not_mine', 'bad_link')
  return reply.alert(text('That link is invalid')).redirect(paths.home().url)
}
