import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChallengeBody, fieldsOf, invitationIn, OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { clientOf } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { budget, uncount } from '../../plugins/security/limits/index.ts'
import { returnToIn } from '../../plugins/security/return-path.ts'
import { pendingInvitation } from '../accounts/received-invitations.ts'
import { checkedRoute, contextOfForm, contextOfQuery, formInContext, formRoute, signInFields } from '../forms.ts'
import { paths } from '../paths.ts'
import { checkNewUser } from './checks.ts'
import { clientWithDevice, deviceOf, isKnown, lastMethodOf, rememberDevice } from './device.ts'
import { recordFailedSignIn, verifyCredentials } from './guesses.ts'
import { presentForGuest } from './props.ts'
import { reauthenticateSession } from './reauthentication/index.ts'
import { endOtherSessions, endSession } from './sessions.ts'
import { backToSignIn, beginWithPassword, continueSignIn } from './sign-in.ts'
import { completeSignUp, refuseUninvited, signUp } from './sign-up.ts'

const GuestQuery = Type.Object(signInFields)
const SignInBody = Type.Object({ email: OptionalText, password: OptionalText, ...signInFields })
const SignUpBody = Type.Object({ ...SignInBody.properties, name: OptionalText, password_confirmation: OptionalText })

/** The invitation that a guest follows. */
async function invitationOf(app: FastifyInstance, { invitation }: { invitation?: unknown }) {
  const token = invitationIn(invitation)
  return token ? pendingInvitation(app, token) : undefined
}

export const signUpRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { origin, invitationOnly } = app.site
  app.addHook('onRequest', app.requireGuest)

  app.get(paths.signUpPage().url, { schema: { querystring: GuestQuery } }, async (request, reply) => {
    const invitation = await invitationOf(app, request.query)
    if (invitationOnly && !invitation) return refuseUninvited(reply)
    return reply.page('auth/sign-up', presentForGuest(app, invitation, returnToIn(request.query, origin)))
  })

  // Checks while people type have a generous limit of their own, since they can be used to probe for addresses.
  const route = checkedRoute(formInContext(paths.signUpPage), budget('sign_up', { check: 'sign_up_check' }), {
    body: SignUpBody,
  })
  app.post(paths.signUp().url, route, async (request, reply) => {
    const fields = ['name', 'email', 'password', 'password_confirmation'] as const
    const input = fieldsOf(request.body, fields, { required: !request.precognitive })
    const invitation = await invitationOf(app, request.body)
    if (invitationOnly && !invitation) return refuseUninvited(reply)

    const verifiedEmail = invitation?.invitation.email
    const invitedEmail = invitationOnly ? verifiedEmail : undefined
    const newUser = await checkNewUser(app, { ...input, invitedEmail, verifiedEmail })
    if (request.precognitive) return reply.valid()

    const { tag: language } = request.language
    const signedUp = await signUp(app, { ...newUser, language }, clientOf(request), invitation)
    return completeSignUp(reply, signedUp, returnToIn(request.body, origin))
  })
}

export const signInRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireGuest)

  app.get(paths.signInPage().url, { schema: { querystring: GuestQuery } }, async (request, reply) => {
    const invitation = await invitationOf(app, request.query)
    const { return_to: returnTo } = contextOfQuery(request)
    const lastMethod = lastMethodOf(request)
    const props = { ...presentForGuest(app, invitation, returnTo), ...(lastMethod && { last_method: lastMethod }) }
    return reply.clearEndedSession().page('auth/sign-in', props)
  })

  const failed = new WeakMap<FastifyRequest, number>()
  const route = {
    ...formRoute(paths.signInPage().url, 'sign_in', { body: SignInBody }),
    // After the response, so its timing does not reveal whether the address is known. It runs for unknown ones as well,
    // so that the timing of the next request does not either.
    onResponse: async (request: FastifyRequest) => {
      const userId = failed.get(request)
      if (userId !== undefined) await recordFailedSignIn(app.db, userId, clientOf(request))
    },
  }
  app.post(paths.signIn().url, route, async (request, reply) => {
    const { email, password } = fieldsOf(request.body, ['email', 'password'])
    const context = contextOfForm(request)
    const device = deviceOf(request)

    const { user, counted, authenticated } = await verifyCredentials(app.db, { email, password, device })
    const begun = authenticated && (await beginWithPassword(app, authenticated, clientWithDevice(request), user))
    if (begun) {
      // The password may just have been hashed again, and the fingerprint in the browser depends on the hash.
      if (!begun.started && user && isKnown(device, user)) rememberDevice(reply, authenticated)
      if (!begun.started) await uncount(app.db, counted)
      return continueSignIn(reply, begun, context)
    }
    request.security('sign_in', 'wrong', { user: user?.id })
    failed.set(request, user?.id ?? 0) // no user has this id
    return backToSignIn(reply, text('That email or password is incorrect'), context)
  })
}

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)

  const form = paths.sessions().url
  const ending = formRoute(form, 'profile_change', { params: Type.Object({ token: Type.String() }) })
  app.delete('/sessions/:token', ending, async (request, reply) => {
    const { userId, token: currentToken } = request.signedIn.session
    const { token } = request.params

    if (!(await endSession(app, userId, token, currentToken))) throw new NotFound()
    request.security('session', 'ended')
    if (token === currentToken) reply.clearSession()
    return reply.flash({ notice: text('That session has been logged out'), clearHistory: true }).redirect(form)
  })

  const endingOthers = formRoute(form, 'sessions_end', { body: ChallengeBody })
  app.delete(paths.endOtherSessions().url, endingOthers, async (request, reply) => {
    await endOtherSessions(app.db, await reauthenticateSession(request))
    request.security('session', 'ended')
    return reply.notice(text('All other sessions have been ended')).redirect(form)
  })
}
