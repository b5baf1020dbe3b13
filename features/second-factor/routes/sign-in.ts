import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownPath } from '../../../plugins/http/own-path.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import type { SignInContext } from '../../../plugins/security/sign-in-steps.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { passkeysOf } from '../../passkeys/passkeys.ts'
import { logCounter, readSignInChallenge } from '../../passkeys/routes/sign-in.ts'
import { signInWithPasskey } from '../../passkeys/sign-ins.ts'
import { paths } from '../../paths.ts'
import { clearPendingSignIn, pendingSignInOf, setPendingSignIn } from '../pending.ts'
import { isAnswer, type Verification, VerificationBody, VerificationQuery } from '../schemas.ts'
import { mintPendingSignIn, signInWithCode, userOfPendingSignIn } from '../sign-ins.ts'
import { inSession, type Options, refuseCode, refusePasskey } from './in-session.ts'

/** The step between the right password and the session, or later, in a session that began with a password alone. */
export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { party, challenges, origin } = options
  const session = inSession(app, options)

  app.addHook('onRequest', app.loadAuth)

  app.signInSteps.add((user, context, reply) => {
    if (!user.secondFactorAt) return undefined
    return mintPendingSignIn(app, user).then((token) => {
      setPendingSignIn(reply, token, context)
      return paths.secondFactor().url
    })
  })

  app.get(paths.secondFactor().url, { schema: { querystring: VerificationQuery } }, async (request, reply) => {
    if (request.auth) {
      return session.show(request, reply, ownPath(request.query.return_to, origin) ?? storedReturnTo(request))
    }
    const { token, context } = pendingSignInOf(request)
    const userId = await userOfPendingSignIn(app, token)
    if (!userId) return startOver(reply, context)
    const passkeys = await passkeysOf(app.db, userId)
    return reply.page('auth/second-factor', { code: true, passkey: passkeys.length > 0 })
  })

  const returnTo = (request: FastifyRequest) =>
    ownPath((request.body as Verification | undefined)?.return_to ?? undefined, origin)
  const config = {
    form: (request: FastifyRequest) => paths.secondFactor(returnTo(request)).url,
    rateLimit: budget('second_factor'),
  }
  app.post(paths.proveSecondFactor().url, { schema: { body: VerificationBody }, config }, async (request, reply) => {
    const { code, response } = request.body
    if (request.auth) return session.prove(request, reply, request.body, returnTo(request))

    const { token, context } = pendingSignInOf(request)
    if (isAnswer(response)) {
      const of = await userOfPendingSignIn(app, token)
      if (!of) return startOver(reply, context)
      const answer = { response, isOurs: readSignInChallenge(challenges, request), of, visitor: visitorOf(request) }
      const { result: started } = logCounter(request, await signInWithPasskey(app, party, answer))
      return started ? completeSignIn(app, clearPendingSignIn(reply), started, context) : refusePasskey(request, reply)
    }
    const proof = await signInWithCode(app, token, code ?? '', visitorOf(request))
    request.security('second_factor', proof.outcome, { user: proof.user })
    if (proof.outcome === 'stale') return startOver(reply, context)
    if (proof.outcome === 'right') return completeSignIn(app, clearPendingSignIn(reply), proof.started, context)
    return refuseCode(proof)
  })

  const storedReturnTo = (request: FastifyRequest) => app.flashStore.read(request)?.returnTo

  const startOver = (reply: FastifyReply, { invitation, returnTo }: SignInContext) =>
    clearPendingSignIn(reply).alert('Please sign in again').redirect(paths.signIn(invitation, returnTo).url)
}
