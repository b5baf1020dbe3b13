import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import type { SignInStep } from '../../../plugins/security/sign-in-methods.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { signInAgain } from '../../auth/routes/second-step.ts'
import { startSession } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'
import { clearPendingSignIn, contextOf, pendingUserOf, setPendingSignIn } from '../pending.ts'
import { wrongCode } from '../second-factors.ts'

/** Asks people with a second factor for a proof, between the right password and the session. */
export const signInStep = (app: FastifyInstance): SignInStep => ({
  async next(user, context, reply) {
    if (!user.secondFactorAt) return undefined
    return setPendingSignIn(reply, user, context).then(() => paths.secondFactor().url)
  },

  async show(request, reply) {
    const userId = await pendingUserOf(request)
    return userId
      ? reply.page('auth/second-factor', await app.signInMethods.factorsOf(userId))
      : startOver(request, reply)
  },

  async prove(request, reply, factor) {
    const userId = await pendingUserOf(request)
    if (!userId) {
      request.security('second_factor', 'stale')
      return startOver(request, reply)
    }
    if (!factor) throw new Invalid(wrongCode)
    const context = contextOf(request)
    const { method: first = 'password' } = context
    const started = await factor.prove(request, userId, (tx, user, proved) => {
      const method = proved === 'passkey' ? proved : (`${first}_and_${proved}` as const)
      return startSession(tx, app.now(), user, visitorOf(request), method)
    })
    if (started) return completeSignIn(app, clearPendingSignIn(reply), started, context)
    if (await pendingUserOf(request)) throw factor.refusal()
    return startOver(request, reply)
  },
})

function startOver(request: FastifyRequest, reply: FastifyReply) {
  const { invitation, returnTo } = contextOf(request)
  return clearPendingSignIn(reply).alert(signInAgain).redirect(paths.signIn(invitation, returnTo).url)
}
