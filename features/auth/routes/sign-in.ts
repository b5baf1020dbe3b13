import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientOf } from '../../../plugins/http/client.ts'
import { budget } from '../../../plugins/security/rate-limit.ts'
import { invitationWith, pendingInvitation } from '../../accounts/invitations.ts'
import { paths } from '../../paths.ts'
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
    const { invitation: token } = request.body

    const verified = await verifyCredentials(app.db, email, password)
    const signedIn = verified && (await signIn(app.db, verified, clientOf(request)))
    if (!signedIn) {
      return reply.alert('That email or password is incorrect').redirect(paths.signIn(token ?? '').url)
    }
    const { session, slug } = signedIn
    const account = slug ? paths.account(slug) : paths.newAccount()
    const destination = token && (await invitationWith(app, token)) ? paths.invitation(token) : account
    return reply.startSession(session.token).notice('Signed in successfully').redirect(destination.url)
  })
}
