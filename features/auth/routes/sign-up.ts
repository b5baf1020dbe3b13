import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { fieldsOf, invitationIn, LinkToken, OptionalText } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { pendingInvitation } from '../../accounts/received-invitations.ts'
import { paths } from '../../paths.ts'
import { presentForGuest } from '../props.ts'
import { checkNewUser, completeSignUp, refuseUninvited, signUp } from '../sign-up.ts'

type Options = { origin: string; appName: string; invitationOnly: boolean }

const fields = ['name', 'email', 'password', 'password_confirmation'] as const

const SignUpQuery = Type.Object({ invitation: LinkToken, return_to: Type.Optional(Type.String()) })
const SignUpBody = Type.Object({
  name: OptionalText,
  email: OptionalText,
  password: OptionalText,
  password_confirmation: OptionalText,
  invitation: LinkToken,
  return_to: OptionalText,
})

export const signUpRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { origin, appName, invitationOnly } = options
  app.addHook('onRequest', app.requireGuest)

  app.get(paths.signUp().url, { schema: { querystring: SignUpQuery } }, async (request, reply) => {
    const invitation = await pendingInvitation(app, invitationIn(request.query.invitation))
    if (invitationOnly && !invitation) return refuseUninvited(reply, appName)
    const returnTo = returnToIn(request.query, origin)
    return reply.page('auth/sign-up', presentForGuest(app.providers, invitationOnly, invitation, returnTo))
  })

  // Checks while people type have a generous limit of their own, since they can be used to probe for addresses.
  const config = {
    form: formAgain,
    precognition: true,
    rateLimit: budget('sign_up', { check: 'sign_up_check' }),
  } as const
  app.post(paths.createUser().url, { schema: { body: SignUpBody }, config }, async (request, reply) => {
    const input = fieldsOf(request.body, fields, { required: !request.precognitive })
    const invitation = await pendingInvitation(app, invitationIn(request.body.invitation))
    if (invitationOnly && !invitation) return refuseUninvited(reply, appName)

    const proved = invitation?.invitation.email
    const newUser = await checkNewUser(app, { ...input, invitedEmail: invitationOnly ? proved : undefined, proved })
    if (request.precognitive) return reply.valid()

    const newcomer = { ...newUser, language: request.language.tag }
    const signedUp = await signUp(app, newcomer, clientOf(request), invitation)
    return completeSignUp(reply, signedUp, returnToIn(request.body, origin))
  })
}

const formAgain = (request: FastifyRequest) => {
  const { invitation, return_to } = (request.body ?? {}) as Static<typeof SignUpBody>
  return paths.signUp(invitationIn(invitation), return_to ?? '').url
}
