import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { changeOf, restoreEmail } from '../email-change.ts'
import { LinkQuery, SidBody } from '../schemas.ts'

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    /** A change of an address, undone by whoever reads the old one. */
    email_change: 'undone' | 'bad_link'
  }
}

/** For people whose address somebody else changed. They need no session, since they cannot sign in any more. */
export const emailChangeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // Changes nothing, since mail scanners open links, too.
  app.get(paths.emailChange().url, { schema: { querystring: LinkQuery } }, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const change = await changeOf(app, sid)
    return change ? reply.page('identity/email-change', { sid, email: change.email }) : refuseLink(request, reply)
  })

  const restoration = {
    schema: { body: SidBody },
    config: { form: paths.signIn().url, rateLimit: budget('email_restoration') },
    onRequest: app.loadAuth,
  }
  app.post(paths.undoEmailChange().url, restoration, async (request, reply) => {
    const change = await changeOf(app, onlyToken(request.body.sid))
    if (!change || !(await restoreEmail(app, change))) return refuseLink(request, reply)
    request.security('email_change', 'undone', { user: change.userId })
    const isSomebodyElse = request.auth && request.auth.user.id !== change.userId
    return reply
      .notice(text('Your email has been restored. Choose a new password'))
      .redirect(isSomebodyElse ? paths.home().url : paths.signIn().url)
  })
}

function refuseLink(request: FastifyRequest, reply: FastifyReply) {
  request.security('email_change', 'bad_link')
  return reply.alert(text('That link is invalid')).redirect(paths.signIn().url)
}
