import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { budget, TooManyRequests } from '../../../plugins/security/limits/index.ts'
import type { Way } from '../../../plugins/security/proofs.ts'
import { arrive } from '../../auth/arrival.ts'
import { visitorOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import { givePending, pendingOf, takePending } from '../pending.ts'
import { CodeBody } from '../schemas.ts'
import { wrongCode } from '../second-factors.ts'
import { isPending, mintPending, proveSecondFactor } from '../sign-ins.ts'

/** The step between the right password and the session. */
export const signInRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireGuest)

  const form = paths.secondFactor().url

  app.proofs.require((user, way, reply) => {
    if (!user.secondFactorAt) return undefined
    return mintPending(app, user).then((token) => {
      givePending(reply, token, way)
      return form
    })
  })

  app.get(form, async (request, reply) => {
    const { token, way } = pendingOf(request)
    return (await isPending(app, token)) ? reply.page('auth/second-factor', {}) : startOver(reply, way)
  })

  const config = { form, rateLimit: budget('second_factor') }
  app.post(paths.proveSecondFactor().url, { schema: { body: CodeBody }, config }, async (request, reply) => {
    const { token, way } = pendingOf(request)
    const proof = await proveSecondFactor(app, token, request.body.code ?? '', visitorOf(request))
    request.security('second_factor', proof.outcome, { user: proof.user })
    switch (proof.outcome) {
      case 'stale':
        return startOver(reply, way)
      case 'wrong':
        throw new Invalid(wrongCode)
      case 'locked':
        throw new TooManyRequests('second_factor', proof.lockedFor)
      case 'right':
        return arrive(app, takePending(reply), proof.started, way)
    }
  })

  const startOver = (reply: FastifyReply, { invitation, returnTo }: Way) =>
    takePending(reply).alert('Please sign in again').redirect(paths.signIn(invitation, returnTo).url)
}
