import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../plugins/database/index.ts'
import { Denied } from '../../../plugins/forms/index.ts'
import { idPattern } from '../../../plugins/forms/parameters.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { optional } from '../../../plugins/inertia/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { authOf } from '../../../plugins/security/session.ts'
import { whileSignedIn } from '../../../plugins/security/while-signed-in.ts'
import { paths, picturePath } from '../../paths.ts'
import {
  acceptInvitation,
  checkInvitee,
  declineInvitation,
  hasJoined,
  invitationWith,
  invite,
  resendInvitation,
  revokeInvitation,
} from '../invitations.ts'
import { manages } from '../memberships.ts'
import { actorOf, changeBudget, formAt } from '../requests.ts'
import { memberOf } from '../require-member.ts'
import { AccountParams, accountRoute, InvitationParams, InviteeBody, MemberParams } from '../schemas.ts'

/** Managing invitations, below /{slug}. */
export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/invitations`
  const form = formAt(paths.members)

  const config = { form, precognition: true, rateLimit: invitationBudget } as const
  app.post(url, { schema: { params: AccountParams, body: InviteeBody }, config }, async (request, reply) => {
    const { account, role: own } = memberOf(request)
    if (!manages(own)) throw new Denied()
    const { email, role } = request.body
    const invitee = await checkInvitee(app, account.id, { email: email ?? '', role: role ?? '' })
    if (request.precognitive) return reply.valid()

    await invite(app, actorOf(request), invitee)
    return reply.notice(`Invitation sent to ${invitee.email}`).redirect(paths.members(request.params.slug).url)
  })

  const resend = { schema: { params: MemberParams }, config: { form, rateLimit: invitationBudget } }
  app.post(`${url}/${idPattern}/resend`, resend, async (request, reply) => {
    const { email } = await resendInvitation(app, actorOf(request), Number(request.params.id))
    return reply.notice(`Invitation sent to ${email}`).redirect(paths.members(request.params.slug).url)
  })

  const revoking = { schema: { params: MemberParams }, config: { form, rateLimit: changeBudget } }
  app.delete(`${url}/${idPattern}`, revoking, async (request, reply) => {
    await revokeInvitation(app, actorOf(request), Number(request.params.id))
    return reply.notice('Invitation revoked').redirect(paths.members(request.params.slug).url)
  })
}

/** Viewing and answering an invitation, identified by its token. */
export const receivedInvitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { params: InvitationParams }

  app.get('/invitations/:token', { schema, onRequest: app.loadAuth }, async (request, reply) => {
    const found = await invitationWith(app, request.params.token)
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
        joined: (await hasJoined(app.db, found, request.auth?.user)) ? account.slug : null,
      })),
    })
  })

  const config = {
    form: (request: FastifyRequest) => paths.invitation((request.params as { token: string }).token).url,
  }
  app.post('/invitations/:token/accept', { schema, config, onRequest: app.requireUser }, async (request, reply) => {
    const { user, session } = authOf(request)
    const accept = (tx: Tx) => acceptInvitation(tx, app.now(), request.params.token, user)
    const account = await whileSignedIn(app.db, session.token, accept)
    return reply.notice(`Welcome to ${account.name}`).redirect(paths.account(account.slug).url)
  })

  app.post('/invitations/:token/decline', { schema, config, onRequest: app.requireUser }, async (request, reply) => {
    const { user, session } = authOf(request)
    const decline = (tx: Tx) => declineInvitation(tx, app.now(), request.params.token, user)
    await whileSignedIn(app.db, session.token, decline)
    return reply.notice('Invitation declined').redirect(paths.home().url)
  })
}

// Counted per account, whichever manager sends them: others could use it up for those who may invite. Validation
// requests do not send mails and have a limit of their own.
const invitationBudget = budget('invitation', {
  by: (request) => String(memberOf(request).account.id),
  except: (request) => !manages(memberOf(request).role),
  check: 'invitation_check',
})
