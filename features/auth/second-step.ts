import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { and, eq, not } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type AddedFactor, sessions, type User } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { guessing } from '../../plugins/security/limits/index.ts'
import { hasTwoFactors } from '../accounts/requirements.ts'
import { contextOfForm, contextOfQuery, formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { clientWithDevice, rememberDevice } from './device.ts'
import { provableOf, type SecondStep, type Work } from './factors.ts'
import { clearPendingSignIn, contextOfPending, pendingSignInOf } from './pending-sign-in.ts'
import { proveFactor } from './sessions.ts'
import { backToSignIn, continueSignIn, startSession } from './sign-in.ts'

const VerifyQuery = Type.Object({ return_to: LinkToken })
/** `response` is that of a passkey. It and `email`, which says whose sign-in the form is of, may be anything. */
const VerifyBody = Type.Object({
  code: OptionalText,
  email: Type.Optional(Type.Unknown()),
  response: Type.Optional(Type.Unknown()),
  return_to: LinkToken,
  trust: Type.Optional(Type.Unknown()),
})

/** The step between the right first factor and the session, or later, in a session that began with one factor. */
export const secondStepRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.loadAuth)

  app.get(paths.secondFactor().url, { schema: { querystring: VerifyQuery } }, async (request, reply) => {
    if (!request.auth) {
      const pending = await pendingSignInOf(request)
      if (!pending) return startOver(request, reply)
      const { id, email } = pending.user
      return reply.page('auth/second-factor', { ...(await provableOf(app, id)), email })
    }
    const { return_to: returnTo } = contextOfQuery(request)
    const provable = await provableIn(request)
    if (!provable) return redirectOnward(reply, returnTo)
    const { email } = request.signedIn.user
    return reply.page('auth/second-factor', { ...provable, email, ...(returnTo && { return_to: returnTo }) })
  })

  const form = (request: FastifyRequest) => paths.secondFactor(contextOfForm(request).returnTo).url
  const verifying = formRoute(form, 'second_factor', { body: VerifyBody })
  app.post(paths.proveSecondFactor().url, verifying, async (request, reply) => {
    if (!request.auth) return proveSignIn(request, reply)
    const { session, user } = request.signedIn
    if (isOfAnother(request, user)) return refuseForm(request, reply)
    const { returnTo } = contextOfForm(request)
    if (!(await provableIn(request))) return redirectOnward(reply, returnTo)
    // Wrong ones count like those of a sign-in, and like any wrong challenge of a signed-in person.
    const done = await guessing(app.db, session.userId, () =>
      prove(request, session.userId, async (tx, user, added) => {
        const newDeviceId = await rememberIfAsked(request, tx, user, added)
        return { user, newDeviceId, token: await proveFactor(tx, session, added) }
      }),
    )
    if (!done) throw stepOf(request).refusal()
    if (done.newDeviceId) rememberDevice(reply, done.user, done.newDeviceId)
    return reply.setSession(done.token).redirect(returnTo ?? paths.home().url)
  })

  async function proveSignIn(request: FastifyRequest, reply: FastifyReply) {
    const pending = await pendingSignInOf(request)
    if (!pending) {
      request.security('second_factor', 'stale')
      return startOver(request, reply)
    }
    if (isOfAnother(request, pending.user)) return refuseForm(request, reply)
    const started = await prove(request, pending.user.id, async (tx, user, added) => {
      if (!(await pending.factor.holds(tx, user, pending.proof))) return undefined
      const newDeviceId = await rememberIfAsked(request, tx, user, added)
      return startSession(app, tx, { ...pending, user }, clientWithDevice(request), { added, newDeviceId })
    })
    if (started) return continueSignIn(clearPendingSignIn(reply), { ...pending, started }, contextOfPending(request))
    if (await pendingSignInOf(request)) throw stepOf(request).refusal()
    return startOver(request, reply)
  }
}

/**
 * Two tabs share the cookie of the newer sign-in: a right code of the older one must not count as a wrong one of it.
 */
function isOfAnother(request: FastifyRequest, { email }: Pick<User, 'email'>) {
  const { email: given } = answerOf(request)
  return given !== undefined && given !== email
}

/** What is pending in this browser stays so, for the tab that began it. */
function refuseForm(request: FastifyRequest, reply: FastifyReply) {
  request.security('second_factor', 'stale')
  return reply.alert(text('That sign-in is over. Sign in again')).redirect(paths.signInPage().url)
}

const answerOf = ({ body }: FastifyRequest) => body as Static<typeof VerifyBody>

/** The step that the form answers. One that answers none is told what the first one says. */
function stepOf(request: FastifyRequest): SecondStep {
  const { secondSteps } = request.server
  const step = secondSteps.find(({ isAnsweredBy }) => isAnsweredBy(answerOf(request))) ?? secondSteps.find(() => true)
  if (!step) throw new NotFound()
  return step
}

/**
 * Calls `work` in the transaction that consumes the answer of the request. Undefined if it is wrong, which is logged.
 */
async function prove<Result>(request: FastifyRequest, userId: number, work: Work<Result>) {
  const step = stepOf(request)
  const answer = answerOf(request)
  if (!step.isAnsweredBy(answer)) throw step.refusal()
  return step.prove(request, userId, answer, work)
}

async function rememberIfAsked(request: FastifyRequest, tx: Tx, user: User, added: AddedFactor) {
  for (const step of request.server.secondSteps) {
    const newDeviceId = await step.remember?.(request, tx, user, added, answerOf(request))
    if (newDeviceId) return newDeviceId
  }
  return undefined
}

/**
 * The factors that this session can still prove. Undefined if the person has none, or it began with two and no
 * workspace wants another one.
 */
async function provableIn({ server: app, signedIn: { session } }: FastifyRequest) {
  const isLow = and(eq(sessions.token, session.token), not(hasTwoFactors))
  let isWanted = (await app.db.$count(sessions, isLow)) > 0
  for (const rule of app.factorRules) isWanted ||= await rule.wantsAnother(session)
  const provable = isWanted ? await provableOf(app, session.userId) : undefined
  return provable && Object.values(provable).some(Boolean) ? provable : undefined
}

const startOver = (request: FastifyRequest, reply: FastifyReply) =>
  backToSignIn(clearPendingSignIn(reply), text('Please sign in again'), contextOfPending(request))

const redirectOnward = (reply: FastifyReply, returnTo: string | undefined) =>
  returnTo ? reply.redirect(returnTo) : reply.notice(text('You are already signed in')).redirect(paths.home().url)
