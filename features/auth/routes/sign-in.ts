import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChallengeBody, fieldsOf, invitationIn, LinkToken, OptionalText } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget, uncount } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { pendingInvitation } from '../../accounts/received-invitations.ts'
import { paths } from '../../paths.ts'
import { confirm } from '../../reauthentication/index.ts'
import { knownIn, visitorOf } from '../device.ts'
import { askForSecondFactor } from '../pending-sign-in.ts'
import { presentForGuest } from '../props.ts'
import { endOtherSessions, endSession } from '../sessions.ts'
import { completeSignIn, recordFailedSignIn, startPasswordSession, verifyCredentials } from '../sign-in.ts'

const unknownUser = 0 // no user has this id

type Options = { origin: string; invitationOnly: boolean }

const SignInQuery = Type.Object({ invitation: LinkToken, return_to: Type.Optional(Type.String()) })
const SignInBody = Type.Object({
  email: OptionalText,
  password: OptionalText,
  invitation: LinkToken,
  return_to: OptionalText,
})

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { origin, invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)

  app.get(paths.signIn().url, { schema: { querystring: SignInQuery } }, async (request, reply) => {
    const invitation = await pendingInvitation(app, invitationIn(request.query.invitation))
    const returnTo = returnToIn(request.query, origin) ?? app.flashStore.read(request)?.returnTo
    return reply.page('auth/sign-in', presentForGuest(app.providers, invitationOnly, invitation, returnTo))
  })

  const failed = new WeakMap<FastifyRequest, number>()
  const options = {
    schema: { body: SignInBody },
    config: { form: paths.signIn().url, rateLimit: budget('sign_in') },
    // After the response, so its timing does not reveal whether the address is known. It runs for unknown ones as well,
    // so that the timing of the next request does not either.
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
    const device = request.device()

    const { user, counted, authenticated } = await verifyCredentials(app.db, { email, password, device })
    const started = authenticated && (await startPasswordSession(app, authenticated, visitorOf(request), user))
    if (started) return completeSignIn(app, reply, started, context)
    if (authenticated?.secondFactorAt) {
      // Its digest may just have been renewed.
      if (user && knownIn(device, user)) reply.rememberDevice(authenticated)
      await uncount(app.db, counted)
      return askForSecondFactor(reply, authenticated, context)
    }
    request.security('sign_in', 'wrong', { user: user?.id })
    failed.set(request, user?.id ?? unknownUser)
    return reply.alert(text('That email or password is incorrect')).redirect(paths.signIn(invitation, returnTo).url)
  })
}

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const form = paths.sessions().url
  const ending = {
    schema: { params: Type.Object({ token: Type.String() }) },
    config: { form, rateLimit: budget('profile_change') },
  }
  app.delete('/sessions/:token', ending, async (request, reply) => {
    const { userId, token: own } = request.signedIn.session
    const { token } = request.params

    if (!(await endSession(app, userId, token, own))) throw new NotFound()
    request.security('session', 'ended')
    if (token === own) reply.clearSession()
    return reply.flash({ notice: text('That session has been logged out'), clearHistory: true }).redirect(form)
  })

  const config = { form, rateLimit: budget('sessions_end') }
  app.delete(paths.endOtherSessions().url, { schema: { body: ChallengeBody }, config }, async (request, reply) => {
    await endOtherSessions(app.db, await confirm(request))
    request.security('session', 'ended')
    return reply.notice(text('All other sessions have been ended')).redirect(form)
  })
}
