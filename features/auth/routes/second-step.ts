import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Invalid } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget, guessing } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { paths } from '../../paths.ts'
import { addFactor, provableIn } from '../methods.ts'
import { SecondStepBody, SecondStepQuery } from '../schemas.ts'

export const signInAgain = text('Please sign in again')

/** The step between the right password and the session, or later, in a session that began with a password alone. */
export const secondStepRoutes: FastifyPluginAsyncTypebox<{ origin: string }> = async (app, { origin }) => {
  app.addHook('onRequest', app.loadAuth)

  app.get(paths.secondFactor().url, { schema: { querystring: SecondStepQuery } }, async (request, reply) => {
    if (!request.auth) return app.signInMethods.signInStep?.show(request, reply) ?? startOver(reply)
    const returnTo = returnToIn(request.query, origin) ?? app.flashStore.read(request)?.returnTo
    const provable = await provableIn(app, request.signedIn.session)
    if (!provable) return redirectOnward(reply, returnTo)
    return reply.page('auth/second-factor', returnTo ? { ...provable, return_to: returnTo } : provable)
  })

  const returnToOf = (request: FastifyRequest) =>
    returnToIn((request.body ?? {}) as Static<typeof SecondStepBody>, origin)
  const config = {
    form: (request: FastifyRequest) => paths.secondFactor(returnToOf(request)).url,
    rateLimit: budget('second_factor'),
  }
  app.post(paths.proveSecondFactor().url, { schema: { body: SecondStepBody }, config }, async (request, reply) => {
    const factor = app.signInMethods.factorIn(request)
    if (!request.auth) return app.signInMethods.signInStep?.prove(request, reply, factor) ?? startOver(reply)
    const session = request.signedIn.session
    const returnTo = returnToOf(request)
    if (!(await provableIn(app, session))) return redirectOnward(reply, returnTo)
    if (!factor) throw new Invalid({ code: [text('is invalid')] })
    // Wrong ones count as those of a sign-in, and as any other that a signed-in person gets wrong.
    const token = await guessing(app.db, 'challenge', session.userId, () =>
      factor.prove(request, session.userId, (tx, _user, method) => addFactor(tx, session, method)),
    )
    if (!token) throw factor.refusal()
    return reply.setSession(token).redirect(returnTo ?? paths.home().url)
  })
}

const startOver = (reply: FastifyReply) => reply.alert(signInAgain).redirect(paths.signIn().url)

/** There is nothing to prove, such as in the second of two tabs. */
const redirectOnward = (reply: FastifyReply, returnTo: string | undefined) =>
  returnTo ? reply.redirect(returnTo) : reply.notice(text('You are already signed in')).redirect(paths.home().url)
