import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientOf } from '../../../plugins/client.ts'
import { budget } from '../../../plugins/rate-limit.ts'
import { paths } from '../../paths.ts'
import { requireFields, SignInBody } from '../schemas.ts'
import { signIn, verifyCredentials } from '../sessions.ts'

type Options = { invitationOnly: boolean }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)

  const props = invitationOnly ? ({ invitation_only: true } as const) : {}
  app.get(paths.signIn().url, (_request, reply) => reply.page('auth/sign-in', props))

  const config = { form: paths.signIn().url, rateLimit: budget('sign_in') }
  app.post(paths.createSession().url, { schema: { body: SignInBody }, config }, async (request, reply) => {
    const { email, password } = requireFields(request.body, ['email', 'password'])

    const verified = await verifyCredentials(app.db, email, password)
    const signedIn = verified && (await signIn(app.db, verified, clientOf(request)))
    if (!signedIn) return reply.alert('That email or password is incorrect').redirect(paths.signIn().url)

    const { session, slug } = signedIn
    return reply
      .startSession(session.token)
      .notice('Signed in successfully')
      .redirect(slug ? paths.account(slug).url : paths.newAccount().url)
  })
}
