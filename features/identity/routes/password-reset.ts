import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { assertValid } from '../../../plugins/forms/index.ts'
import { invitationIn, LinkToken, OptionalText, onlyToken } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../../plugins/mail/index.ts'
import { newPasswordMessages } from '../../auth/checks.ts'
import { deviceOf, rememberDevice } from '../../auth/device.ts'
import { queuePasswordReset } from '../../auth/sign-up.ts'
import { checkedRoute, formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import { resetPassword, userOfLink } from '../links.ts'

const hourSeconds = 3600

const NewResetQuery = Type.Object({ invitation: LinkToken })
const ResetRequestBody = Type.Object({
  email: Type.Optional(Type.Unknown()), // anything gets the same answer
  invitation: Type.Optional(Type.Unknown()),
})
const LinkFields = Type.Object({ sid: LinkToken })
const ResetBody = Type.Object({ sid: LinkToken, password: OptionalText, password_confirmation: OptionalText })

/** These ignore the session, since the browser may be one where someone else is signed in. */
export const passwordResetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(paths.newPasswordReset().url, { schema: { querystring: NewResetQuery } }, ({ query }, reply) => {
    const invitation = invitationIn(query.invitation)
    return reply.page('identity/password-reset/new', invitation ? { invitation } : {})
  })

  const requesting = formRoute(paths.newPasswordReset().url, 'password_reset', { body: ResetRequestBody })
  app.post(paths.requestPasswordReset().url, requesting, async (request, reply) => {
    const { email: typedEmail, invitation: token } = request.body
    const email = normalizeEmail(typeof typedEmail === 'string' ? typedEmail : '')
    // Unknown addresses take the same path: only the worker looks up the user, so timing and limits reveal nothing.
    if (isEmailAddress(email)) await app.db.transaction((tx) => queuePasswordReset(app, tx, email, deviceOf(request)))
    request.security('password_reset', 'requested')
    // The mail must not contain the invitation, so this browser keeps it until the password is set.
    const invitation = tokenIn(onlyToken(token))
    if (invitation) reply.setSignedCookie('invitation', invitation, { maxAge: hourSeconds })
    return reply
      .notice(text("If that email belongs to a verified account, we've sent reset instructions to it"))
      .redirect(paths.signInPage(invitation).url)
  })

  const opening = { schema: { querystring: LinkFields }, config: { noindex: true } } as const
  app.get(paths.editPasswordReset().url, opening, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const user = await userOfLink(app, 'password_reset', sid)
    return user ? reply.page('identity/password-reset/edit', { sid, email: user.email }) : refuseLink(request, reply)
  })

  const resetting = checkedRoute(editAgain, 'password_reset_finish', { body: ResetBody })
  app.patch(paths.resetPassword().url, resetting, async (request, reply) => {
    const user = await userOfLink(app, 'password_reset', onlyToken(request.body.sid))
    if (!user) return refuseLink(request, reply)
    assertValid(newPasswordMessages(app, request.body, user))
    if (request.precognitive) return reply.valid()

    const changed = await resetPassword(app, user, request.body.password ?? '')
    if (!changed) return refuseLink(request, reply)
    request.security('password_reset', 'done', { user: user.id })
    const invitation = request.signedCookie('invitation')
    if (invitation) reply.clearHostCookie('invitation')
    return rememberDevice(reply, changed)
      .notice(text('Your password was reset successfully. Please sign in'))
      .redirect(paths.signInPage(invitation).url)
  })
}

// Anything else, such as half a surrogate pair, could not be written into a cookie.
const tokenIn = (invitation: string) => /^[\w-]{43}$/.exec(invitation)?.[0] ?? ''

function refuseLink(request: FastifyRequest, reply: FastifyReply) {
  request.security('password_reset', 'bad_link')
  return reply.alert(text('That password reset link is invalid')).redirect(paths.newPasswordReset().url)
}

function editAgain(request: FastifyRequest) {
  const body = request.body as Static<typeof ResetBody> | undefined
  // A request over its limit is answered before its body is read.
  return body ? paths.editPasswordReset(onlyToken(body.sid)).url : paths.newPasswordReset().url
}
