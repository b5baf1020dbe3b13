import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignInStep } from '../../../plugins/security/ways-in.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { signInAgain } from '../../auth/routes/second-step.ts'
import { startSession } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'
import { clearPendingSignIn, pendingSignInOf, setPendingSignIn } from '../pending.ts'
import { mintPendingSignIn, signInWithCode, userOfPendingSignIn } from '../sign-ins.ts'
import { codeOf, refuseCode } from './code.ts'

/** Asks people with a second factor for a proof, between the right password and the session. */
export const signInStep = (app: FastifyInstance): SignInStep => ({
  async next(user, context, reply) {
    if (!user.secondFactorAt) return undefined
    setPendingSignIn(reply, await mintPendingSignIn(app, user), context)
    return paths.secondFactor().url
  },

  async show(request, reply) {
    const userId = await userOfPendingSignIn(app, pendingSignInOf(request).token)
    return userId ? reply.page('auth/second-factor', await app.waysIn.factorsOf(userId)) : startOver(request, reply)
  },

  async prove(request, reply, factor) {
    const { token, context } = pendingSignInOf(request)
    const visitor = visitorOf(request)
    if (factor && factor.name !== 'code') {
      const userId = await userOfPendingSignIn(app, token)
      if (!userId) return startOver(request, reply)
      const started = await factor.prove(request, userId, (tx, user, proved) => {
        const method = proved === 'passkey' ? proved : (`password_and_${proved}` as const)
        return startSession(tx, app.now(), user, visitor, method)
      })
      if (!started) throw factor.refusal()
      return completeSignIn(app, clearPendingSignIn(reply), started, context)
    }
    const proof = await signInWithCode(app, { token, first: context.method }, codeOf(request), visitor)
    request.security('second_factor', proof.outcome, { user: proof.user })
    if (proof.outcome === 'stale') return startOver(request, reply)
    return proof.outcome === 'right'
      ? completeSignIn(app, clearPendingSignIn(reply), proof.started, context)
      : refuseCode(proof)
  },
})

function startOver(request: FastifyRequest, reply: FastifyReply) {
  const { invitation, returnTo } = pendingSignInOf(request).context
  return clearPendingSignIn(reply).alert(signInAgain).redirect(paths.signIn(invitation, returnTo).url)
}
