import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { invitationIn } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget, uncount } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { pendingInvitation } from '../../accounts/received-invitations.ts'
import { paths } from '../../paths.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import { visitorOf } from '../device.ts'
import { recordFailedSignIn, startPasswordSession, verifyCredentials } from '../password-sign-in.ts'
import { askForSecondFactor } from '../pending-sign-in.ts'
import { presentForGuest } from '../props.ts'
import { fieldsOf, SignInBody, SignInQuery } from '../schemas.ts'

const nobody = 0 // no user has this id

type Options = { origin: string; invitationOnly: boolean }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { origin, invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)

  app.get(paths.signIn().url, { schema: { querystring: SignInQuery } }, async (request, reply) => {
    const invitation = await pendingInvitation(app, invitationIn(request.query.invitation))
    const returnTo = returnToIn(request.query, origin) ?? app.flashStore.read(request)?.returnTo
    const props = presentForGuest(app.providers, invitationOnly, invitation)
    return reply.page('auth/sign-in', returnTo ? { ...props, return_to: returnTo } : props)
  })

  /** Whose password was wrong: nobody's if the address is unknown. */
  const failed = new WeakMap<FastifyRequest, number>()
  const options = {
    schema: { body: SignInBody },
    config: { form: paths.signIn().url, rateLimit: budget('sign_in') },
    // After the response, so its timing does not reveal whether the address is known. For unknown ones, too, so that of
    // the next request does not either.
    onResponse: async (request: FastifyRequest) => {
      const userId = failed.get(request)
      if (userId !== undefined) await recordFailedSignIn(app.db, userId, clientOf(request))
    },
  }
  app.post(paths.createSession().url, options, async (request, reply) => {
    const { email, password } = fieldsOf(request.body, ['email', 'password'])
    const invitation = invitationIn(request.body.invitation)
    const returnTo = returnToIn(request.body, origin)
    const context = { invitation, returnTo }

    const credentials = { email, password, device: request.device() }
    const { user, counted, authenticated } = await verifyCredentials(app.db, credentials)
    // Asked with the digest of the cookie, before a renewed one.
    const isKnown = authenticated && user && request.isKnownTo(user)
    if (isKnown && authenticated !== user) reply.rememberDevice(authenticated)
    if (authenticated?.secondFactorAt) {
      await uncount(app.db, counted)
      return askForSecondFactor(reply, authenticated, context)
    }
    const started = authenticated && (await startPasswordSession(app, authenticated, visitorOf(request)))
    if (started) return completeSignIn(app, reply, { ...started, isKnown: isKnown === true }, context)
    request.security('sign_in', 'wrong', { user: user?.id })
    failed.set(request, user?.id ?? nobody)
    return reply.alert(text('That email or password is incorrect')).redirect(paths.signIn(invitation, returnTo).url)
  })
}
