import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { idPattern, OptionalText } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { checkedRoute, formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { requireAllowed } from '../access.ts'
import { checkInvitee, invite, resendExpired, resendInvitation, revokeInvitation } from '../invitations.ts'
import { AccountParams, accountRoute, actorOf, changeBudget, formAt, ItemParams, memberOf } from '../member.ts'
import { may } from '../rights.ts'

const InviteeBody = Type.Object({ email: OptionalText, role: OptionalText })

export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const url = `${accountRoute}/invitations`
  const form = formAt(paths.members)

  const inviting = checkedRoute(form, invitationBudget, { params: AccountParams, body: InviteeBody })
  app.post(url, inviting, async (request, reply) => {
    const { account, role: actorRole } = memberOf(request)
    requireAllowed(actorRole, 'members.invite')
    const { email, role } = request.body
    const inviter = { actor: actorOf(request), role: actorRole, account }
    const invitee = await checkInvitee(app, inviter, { email: email ?? '', role: role ?? '' })
    if (request.precognitive) return reply.valid()

    await invite(app, inviter.actor, invitee)
    return reply.notice(text('Invitation sent to {email}', { email: invitee.email })).redirect(form(request))
  })

  const resend = formRoute(form, invitationBudget, { params: ItemParams })
  app.post(`${url}/${idPattern}/resend`, resend, async (request, reply) => {
    const { email } = await resendInvitation(app, actorOf(request), Number(request.params.id))
    return reply.notice(text('Invitation sent to {email}', { email })).redirect(form(request))
  })

  const resendAll = formRoute(form, invitationBudget, { params: AccountParams })
  app.post(`${url}/resend`, resendAll, async (request, reply) => {
    requireAllowed(memberOf(request).role, 'members.invite')
    const { sent, count } = await resendExpired(app, actorOf(request))
    const answer =
      sent === count
        ? reply.notice(text('Invitations sent again: {sent}', { sent }))
        : reply.alert(text('Invitations sent again: {sent} of {count}. Try the others later', { sent, count }))
    return answer.redirect(form(request))
  })

  const revoking = formRoute(form, changeBudget, { params: ItemParams })
  app.delete(`${url}/${idPattern}`, revoking, async (request, reply) => {
    await revokeInvitation(app, actorOf(request), Number(request.params.id))
    return reply.notice(text('Invitation revoked')).redirect(form(request))
  })
}

// Counted for the account, and only if a manager sends it, or others could use it up. Validation requests do not send
// mails and have a limit of their own.
const invitationBudget = budget('invitation', {
  by: (request) => String(memberOf(request).account.id),
  except: (request) => !may(memberOf(request).role, 'members.invite'),
  check: 'invitation_check',
})
