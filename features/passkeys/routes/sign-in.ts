import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { invitationIn } from '../../../plugins/forms/parameters.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import type { SecondFactor } from '../../../plugins/security/sign-in-methods.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { startSession } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'
import { answerOf, signInScope, withPasskey } from '../assertions.ts'
import { hasPasskey } from '../passkeys.ts'
import { type RelyingParty, requestOptions } from '../relying-party.ts'
import { AssertionBody } from '../schemas.ts'

export const refused = text("That passkey didn't work. Try again")

export const signInRoutes: FastifyPluginAsyncTypebox<{ party: RelyingParty }> = async (app, { party }) => {
  // For signed-in people, too, who prove their second factor later (/sign_in/verify).
  const asking = { config: { rateLimit: budget('passkey_request') } }
  app.post(paths.passkeySignInOptions().url, asking, async (request) => requestOptions(party, signInScope(request)))

  const options = {
    onRequest: app.requireGuest,
    schema: { body: AssertionBody },
    config: { form: paths.signIn().url, rateLimit: budget('passkey') },
  }
  app.post(paths.signInWithPasskey().url, options, async (request, reply) => {
    const invitation = invitationIn(request.body.invitation)
    const returnTo = returnToIn(request.body, party.origin)
    const started = await withPasskey(request, party, (tx, user) =>
      startSession(tx, app.now(), user, visitorOf(request), 'passkey'),
    )
    if (started) return completeSignIn(app, reply, started, { invitation, returnTo })
    return reply.alert(refused).redirect(paths.signIn(invitation, returnTo).url)
  })
}

/** A passkey in place of a code. */
export const asSecondFactor = (party: RelyingParty): SecondFactor => ({
  name: 'passkey',
  isOffered: hasPasskey,
  isAnswered: (request) => answerOf(request) != null,
  refusal: () => new Invalid({}, refused),
  prove: (request, userId, work) => withPasskey(request, party, (tx, user) => work(tx, user, 'passkey'), userId),
})
