import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { idPattern } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { optional } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { paths, picturePath } from '../../paths.ts'
import {
  acceptInvitation,
  declineInvitation,
  hasJoined,
  invitationTo,
  invitationWith,
  type LinkToInvitation,
} from '../received-invitations.ts'
import { InvitationParams, OpenInvitationParams } from '../schemas.ts'

/**
 * Viewing and answering an invitation, identified by the token of its mail, or inside of the application by its id,
 * which opens it only to those whose address it is for.
 */
export const receivedInvitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { params: InvitationParams }
  const url = '/invitations/:token'
  app.get(url, { schema, onRequest: app.loadAuth }, async (request, reply) =>
    show(request, reply, await invitationWith(app, request.params.token)),
  )
  const config = {
    form: (request: FastifyRequest) => paths.invitation((request.params as { token: string }).token).url,
  }
  const answering = { schema, config, onRequest: app.requireUser }
  app.post(`${url}/accept`, answering, (request, reply) => accept(request, reply, request.params))
  app.post(`${url}/decline`, answering, (request, reply) => decline(request, reply, request.params))

  const openSchema = { params: OpenInvitationParams }
  const openUrl = `/invitations/open/${idPattern}`
  app.get(openUrl, { schema: openSchema, onRequest: app.requireUser }, async (request, reply) =>
    show(request, reply, await invitationTo(app, authOf(request).user, Number(request.params.id))),
  )
  const openConfig = {
    form: (request: FastifyRequest) => paths.openInvitation(Number((request.params as { id: string }).id)).url,
  }
  const answeringOpen = { schema: openSchema, config: openConfig, onRequest: app.requireUser }
  app.post(`${openUrl}/accept`, answeringOpen, (request, reply) =>
    accept(request, reply, { id: Number(request.params.id) }),
  )
  app.post(`${openUrl}/decline`, answeringOpen, (request, reply) =>
    decline(request, reply, { id: Number(request.params.id) }),
  )

  type Found = Awaited<ReturnType<typeof invitationTo>>

  function show(request: FastifyRequest, reply: FastifyReply, found: Found) {
    if (!found) throw new NotFound()
    const { account, invitation, inviterName, expired } = found
    return reply.page('invitations/show', {
      account_name: account.name,
      account_picture: picturePath(account.picture),
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
  }

  async function accept(request: FastifyRequest, reply: FastifyReply, link: LinkToInvitation) {
    const { user, session } = authOf(request)
    const account = await whileSignedIn(app.db, session.token, (tx) => acceptInvitation(tx, app.now(), link, user))
    return reply.notice(text('Welcome to {name}', { name: account.name })).redirect(paths.account(account.slug).url)
  }

  async function decline(request: FastifyRequest, reply: FastifyReply, link: LinkToInvitation) {
    const { user, session } = authOf(request)
    await whileSignedIn(app.db, session.token, (tx) => declineInvitation(tx, app.now(), link, user))
    return reply.notice(text('Invitation declined')).redirect(paths.home().url)
  }
}
