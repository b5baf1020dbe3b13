import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { LinkToken, onlyToken } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { changeOf, disputedUser, removeUnverifiedUser, undoChange } from '../links.ts'

const LinkFields = Type.Object({ sid: LinkToken })

/** They need no session. Opening a link changes nothing, since mail scanners open links, too. */
export const disputeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const looking = { schema: { querystring: LinkFields }, onRequest: app.loadAuth }
  app.get(paths.emailChange().url, looking, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const change = await changeOf(app, sid)
    if (!change) return refuseLink('email_change', request, reply)
    return reply.page('identity/email-change', { sid, email: change.previousEmail })
  })

  const restoration = {
    schema: { body: LinkFields },
    config: { form: paths.signIn().url, rateLimit: budget('email_restoration') },
    onRequest: app.loadAuth,
  }
  app.post(paths.undoEmailChange().url, restoration, async (request, reply) => {
    const change = await changeOf(app, onlyToken(request.body.sid))
    if (!change || !(await undoChange(app, change))) return refuseLink('email_change', request, reply)
    request.security('email_change', 'undone', { user: change.userId })
    const isSomeoneElse = request.auth && request.auth.user.id !== change.userId
    return reply
      .notice(text('Your email has been restored. Choose a new password'))
      .redirect(isSomeoneElse ? paths.home().url : paths.signIn().url)
  })

  app.get(paths.notMine().url, looking, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const user = await disputedUser(app, sid)
    if (!user) return refuseLink('not_mine', request, reply)
    return reply.page('identity/not-mine', { sid, email: user.email })
  })

  const removal = { schema: { body: LinkFields }, config: { form: paths.home().url, rateLimit: budget('not_mine') } }
  app.post(paths.removeNotMine().url, removal, async (request, reply) => {
    const user = await disputedUser(app, onlyToken(request.body.sid))
    if (!user || !(await removeUnverifiedUser(app, user))) return refuseLink('not_mine', request, reply)
    request.security('not_mine', 'removed', { user: user.id })
    return reply.notice(text('The account has been removed')).redirect(paths.home().url)
  })
}

function refuseLink(event: 'email_change' | 'not_mine', request: FastifyRequest, reply: FastifyReply) {
  request.security(event, 'bad_link')
  const to = event === 'email_change' ? paths.signIn() : paths.home()
  return reply.alert(text('That link is invalid')).redirect(to.url)
}
