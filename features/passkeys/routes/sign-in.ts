import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { invitationIn, LinkToken, OptionalText } from '../../../plugins/forms/parameters.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { visitorOf } from '../../auth/device.ts'
import { completeSignIn, startSession } from '../../auth/sign-in.ts'
import { paths } from '../../paths.ts'
import { passkeyRefused, signInScope, withPasskey } from '../../webauthn/assertions.ts'
import { requestOptions } from '../../webauthn/relying-party.ts'

const AssertionBody = Type.Object({
  response: Type.Optional(Type.Unknown()),
  invitation: LinkToken,
  return_to: OptionalText,
})

export const signInRoutes: FastifyPluginAsyncTypebox<{ origin: string }> = async (app, { origin }) => {
  // Also for signed-in people who prove their second factor later (/sign_in/verify).
  const asking = { config: { rateLimit: budget('passkey_request') } }
  app.post(paths.passkeySignInOptions().url, asking, async (request) =>
    requestOptions(app.relyingParty, signInScope(request)),
  )

  const options = {
    onRequest: app.requireGuest,
    schema: { body: AssertionBody },
    config: { form: paths.signIn().url, rateLimit: budget('passkey') },
  }
  app.post(paths.signInWithPasskey().url, options, async (request, reply) => {
    const invitation = invitationIn(request.body.invitation)
    const returnTo = returnToIn(request.body, origin)
    const started = await withPasskey(request, request.body.response, (tx, user) =>
      startSession(app, tx, user, visitorOf(request), 'passkey'),
    )
    if (started) return completeSignIn(app, reply, started, { invitation, returnTo })
    return reply.alert(passkeyRefused).redirect(paths.signIn(invitation, returnTo).url)
  })
}
