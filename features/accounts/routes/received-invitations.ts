import type { FastifyPluginAsync, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { idPattern } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { formRoute } from '../../forms.ts'
import { paths, picturePath } from '../../paths.ts'
import { findInvitationLink, joinByLink } from '../invitation-links.ts'
import { presentInvited } from '../props.ts'
import {
  acceptInvitation,
  declineInvitation,
  findInvitation,
  hasJoined,
  type LinkToInvitation,
} from '../received-invitations.ts'
import { listsChanged } from '../switcher.ts'

type Request = FastifyRequest<{ Params: { token: string; id: string } }>

type InvitationRoutes = {
  url: string
  /** Whether guests may see it. */
  onRequest: onRequestAsyncHookHandler
  linkOf(request: Request): LinkToInvitation
  page(params: Request['params']): { url: string }
}

/** An invitation is named by the token of its mail, or by its id for people who verified its address. */
export const receivedInvitationRoutes: FastifyPluginAsync = async (app) => {
  addRoutes({
    url: '/invitations/:token',
    onRequest: app.loadAuth,
    linkOf: ({ params }) => ({ token: params.token }),
    page: ({ token }) => paths.invitation(token),
  })
  addRoutes({
    url: `/invitations/open/${idPattern}`,
    onRequest: app.requireUser,
    linkOf: (request) => ({ id: Number(request.params.id), userId: request.signedIn.user.id }),
    page: ({ id }) => paths.openInvitation(Number(id)),
  })

  function addRoutes({ url, onRequest, linkOf, page }: InvitationRoutes) {
    app.get(url, { onRequest }, async (request: Request, reply) => {
      const found = await findInvitation(app, linkOf(request))
      if (!found) throw new NotFound()
      const { account, person, invitation, inviterName, expired } = found
      return reply.page('invitations/show', {
        ...presentInvited({ ...account, person }),
        inviter_name: inviterName,
        email: invitation.email,
        signed_in_as: request.auth?.user.email ?? null,
        expired,
        details: optional(async () => ({
          role: invitation.role,
          expires_at: invitation.expiresAt.toISOString(),
          second_factor: account.requireSecondFactor,
          joined: (await hasJoined(app.db, found, request.auth?.user)) ? account.slug : null,
        })),
      })
    })

    const config = { form: (request: FastifyRequest) => page(request.params as Request['params']).url }
    const answer = { config, onRequest: app.requireUser }
    app.post(`${url}/accept`, answer, async (request: Request, reply) => {
      const { user, session } = request.signedIn
      const link = linkOf(request)
      const account = await whileSignedIn(app.db, session.token, (tx) => acceptInvitation(app, tx, link, user))
      if (!account) {
        return reply
          .alert(text('Open the link that we sent to {email}', { email: user.email }))
          .redirect(page(request.params).url)
      }
      return reply
        .flash(listsChanged)
        .notice(text('Welcome to {name}', { name: account.name }))
        .redirect(paths.account(account.slug).url)
    })

    app.post(`${url}/decline`, answer, async (request: Request, reply) => {
      const { user, session } = request.signedIn
      const link = linkOf(request)
      await whileSignedIn(app.db, session.token, (tx) => declineInvitation(tx, app.now(), link, user))
      return reply.flash(listsChanged).notice(text('Invitation declined')).redirect(paths.home().url)
    })
  }
}

export const joinRoutes: FastifyPluginAsync = async (app) => {
  app.get('/join/:token', { onRequest: app.loadAuth }, async (request: Request, reply) => {
    const found = await findInvitationLink(app, request.params.token)
    if (!found) throw new NotFound()
    return reply.page('invitations/join', {
      account_name: found.account.name,
      account_picture: picturePath(found.account.picture),
      inviter_name: found.inviterName,
      signed_in_as: request.auth?.user.email ?? null,
      expired: found.expired,
      ...(app.site.invitationOnly && ({ invitation_only: true } as const)),
    })
  })

  const form = (request: FastifyRequest) => paths.join((request as Request).params.token).url
  const joining = { ...formRoute(form, 'join'), onRequest: app.requireUser }
  app.post('/join/:token', joining, async (request: Request, reply) => {
    const { account, joined } = await joinByLink(app, request.signedIn.session, request.params.token)
    if (joined) reply.flash(listsChanged).notice(text('Welcome to {name}', { name: account.name }))
    return reply.redirect(paths.account(account.slug).url)
  })
}
