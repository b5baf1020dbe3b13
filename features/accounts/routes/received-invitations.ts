import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { idPattern } from '../../../plugins/forms/parameters.ts'
import { prefersJson } from '../../../plugins/http/errors.ts'
import { optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { paths } from '../../paths.ts'
import { presentInvited } from '../props.ts'
import {
  acceptInvitation,
  declineInvitation,
  findInvitation,
  hasJoined,
  type LinkToInvitation,
} from '../received-invitations.ts'
import { neededIn } from '../requirements.ts'
import { listsChanged } from '../switcher.ts'

type Params = { token: string; id?: never } | { token?: never; id: string }
type Request = FastifyRequest<{ Params: Params }>

/** An invitation is named by the token of its mail, or by its id for people who verified its address. */
const linkOf = ({ params, auth }: Request): LinkToInvitation =>
  params.token === undefined ? { id: Number(params.id), userId: auth?.user.id ?? 0 } : { token: params.token }
const pageOf = ({ token, id }: Params) =>
  (token === undefined ? paths.openInvitation(Number(id)) : paths.invitation(token)).url

export const receivedInvitationRoutes: FastifyPluginAsync = async (app) => {
  addRoutes('/invitations/:token', app.loadAuth)
  addRoutes(`/invitations/open/${idPattern}`, app.requireUser)

  function addRoutes(url: string, onRequest: onRequestAsyncHookHandler) {
    app.get(url, { onRequest, config: { noindex: true } }, async (request: Request, reply) => {
      const received = await findInvitation(app, linkOf(request))
      if (!received) return sendVoidInvitation(request, reply)
      const { account, person, invitation, inviterName, expired } = received
      return reply.page('invitations/show', {
        ...presentInvited({ ...account, person }),
        inviter_name: inviterName ?? account.name,
        email: invitation.email,
        signed_in_as: request.auth?.user.email ?? null,
        expired,
        details: optional(async () => ({
          role: invitation.role,
          expires_at: invitation.expiresAt.toISOString(),
          needs: neededIn(app, account).map((each) => request.translate(each)),
          joined: (await hasJoined(app.db, received, request.auth?.user)) ? account.slug : null,
        })),
      })
    })

    const config = { form: ({ params }: FastifyRequest) => pageOf(params as Params) }
    const answering = { config, onRequest: app.requireUser }
    app.post(`${url}/accept`, answering, async (request: Request, reply) => {
      const { user, session } = request.signedIn
      const link = linkOf(request)
      const account = await sessionTransaction(app.db, session.token, (tx) => acceptInvitation(app, tx, link, user))
      return account ? welcome(reply, account) : askForLink(request, reply)
    })

    app.post(`${url}/decline`, answering, async (request: Request, reply) => {
      const { user, session } = request.signedIn
      const link = linkOf(request)
      const account = await sessionTransaction(app.db, session.token, (tx) => declineInvitation(app, tx, link, user))
      if (!account) return askForLink(request, reply)
      return reply.flash(listsChanged).notice(text('Invitation declined')).redirect(paths.home().url)
    })
  }
}

/**
 * For links that a newer mail, a withdrawal or a removal made void, and those that never were: says what to do. Names
 * nothing, so that nobody learns which of them it is.
 */
export const sendVoidInvitation = (request: FastifyRequest, reply: FastifyReply) =>
  prefersJson(request.headers.accept) ? reply.sendError(404) : reply.code(404).page('invitations/void', {})

const askForLink = ({ params, signedIn }: Request, reply: FastifyReply) =>
  reply.alert(text('Open the link that we sent to {email}', { email: signedIn.user.email })).redirect(pageOf(params))

export const welcome = (reply: FastifyReply, { name, slug }: { name: string; slug: string }) =>
  reply.flash(listsChanged).notice(text('Welcome to {name}', { name })).redirect(paths.account(slug).url)
