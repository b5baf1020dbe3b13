import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths, picturePath } from '../../paths.ts'
import { createInvitationLink, findInvitationLink, joinByLink, removeInvitationLink } from '../invitation-links.ts'
import { AccountParams, accountRoute, actorOf, changeBudget, formAt } from '../member.ts'
import { listsChanged } from '../switcher.ts'

declare module '../../../plugins/forms/flash.ts' {
  interface FlashState {
    /** Shown once, and only to this user, even if someone else signs in with the same browser. */
    invitationLink?: { userId: number; token: string }
  }
}

/** Shows a link on the page of members right after it was made. */
export function showInvitationLink(request: FastifyRequest, reply: FastifyReply, origin: string) {
  const created = request.server.flashStore.read(request)?.invitationLink
  if (created?.userId !== request.signedIn.user.id) return
  reply.flashNow({ invitation_link: `${origin}${paths.join(created.token).url}` })
}

/** Making and removing the link of an account, below /{slug}. */
export const invitationLinkRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/invitation_link`
  const form = formAt(paths.members)
  const options = { schema: { params: AccountParams }, config: { form, rateLimit: changeBudget } }

  app.post(url, options, async (request, reply) => {
    const token = await createInvitationLink(app, actorOf(request))
    return reply
      .flash({ invitationLink: { userId: request.signedIn.user.id, token } })
      .notice(text('Invitation link created'))
      .redirect(form(request))
  })

  app.delete(url, options, async (request, reply) => {
    await removeInvitationLink(app.db, actorOf(request))
    return reply.notice(text('Invitation link removed')).redirect(form(request))
  })
}

type Request = FastifyRequest<{ Params: { token: string } }>

/** Joining with a link. */
export const joinRoutes: FastifyPluginAsyncTypebox<{ invitationOnly: boolean }> = async (app, { invitationOnly }) => {
  app.get('/join/:token', { onRequest: app.loadAuth }, async (request: Request, reply) => {
    const found = await findInvitationLink(app, request.params.token)
    if (!found) throw new NotFound()
    return reply.page('invitations/join', {
      account_name: found.account.name,
      account_picture: picturePath(found.account.picture),
      inviter_name: found.inviterName,
      signed_in_as: request.auth?.user.email ?? null,
      expired: found.expired,
      ...(invitationOnly && ({ invitation_only: true } as const)),
    })
  })

  const form = (request: FastifyRequest) => paths.join((request as Request).params.token).url
  const config = { form, rateLimit: budget('join') }
  app.post('/join/:token', { onRequest: app.requireUser, config }, async (request: Request, reply) => {
    const { account, joined } = await joinByLink(app, request.signedIn.session, request.params.token)
    if (joined) reply.flash(listsChanged).notice(text('Welcome to {name}', { name: account.name }))
    return reply.redirect(paths.account(account.slug).url)
  })
}
