import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientOf } from '../../../plugins/http/client.ts'
import { budget } from '../../../plugins/security/rate-limit.ts'
import { pendingInvitation } from '../../accounts/invitations.ts'
import { paths } from '../../paths.ts'
import { arrive } from '../arrival.ts'
import { presentCarried } from '../props.ts'
import { CarryingQuery, requireFields, SignInBody } from '../schemas.ts'
import { signIn, verifyCredentials } from '../sessions.ts'

type Options = { invitationOnly: boolean }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)

  const props = invitationOnly ? ({ invitation_only: true } as const) : {}
  app.get(paths.signIn().url, { schema: { querystring: CarryingQuery } }, (request, reply) => {
    const { invitation: token } = request.query
    if (!token) return reply.page('auth/sign-in', props)
    return pendingInvitation(app, token).then((invitation) =>
      reply.page('auth/sign-in', invitation ? { ...props, invitation: presentCarried(invitation) } : props),
    )
  })

  const config = { form: paths.signIn().url, rateLimit: budget('sign_in') }
  app.post(paths.createSession().url, { schema: { body: SignInBody }, config }, async (request, reply) => {
    const { email, password } = requireFields(request.body, ['email', 'password'])
    const invitation = request.body.invitation ?? ''

    const user = await verifyCredentials(app.db, email, password)
    const asked = user && app.proofs.ask(reply, user, invitation)
    if (asked) return asked

    const started = user && (await signIn(app.db, user, clientOf(request)))
    if (!started) return reply.alert('That email or password is incorrect').redirect(paths.signIn(invitation).url)
    return arrive(app, reply, started, invitation)
  })
}
