import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { and, eq, not } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { sessions, type User } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { LinkToken, OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { guessing } from '../../plugins/security/limits/index.ts'
import { returnToIn } from '../../plugins/security/return-path.ts'
import { hasTwoFactors } from '../accounts/requirements.ts'
import { deviceOf, rememberDevice, visitorOf } from '../auth/device.ts'
import { factorsIn } from '../auth/methods.ts'
import { clearPendingSignIn, contextOf, pendingUserOf } from '../auth/pending-sign-in.ts'
import { factorsWith, proveFactor, type SetUpFactor } from '../auth/sessions.ts'
import { completeSignIn, contextIn, startSession } from '../auth/sign-in.ts'
import { formRoute } from '../forms.ts'
import { passkeyRefused, withPasskey } from '../passkeys/webauthn/assertions.ts'
import { paths } from '../paths.ts'
import { recordUse } from '../providers/identities.ts'
import { arriveBy } from '../single-sign-on/arrivals.ts'
import { wantsAnotherFactor } from '../single-sign-on/owner.ts'
import { mayPass, recordPass } from '../single-sign-on/passes.ts'
import { withCode } from './attempts.ts'
import { wrongCode } from './second-factors.ts'
import { mayTrustBrowsers, trustBrowser } from './trusted-browsers.ts'
import { factorsOf } from './ways-in.ts'

const VerifyQuery = Type.Object({ return_to: LinkToken })
/** `response` is that of a passkey. It and `email`, which says whose sign-in the form is of, may be anything. */
const VerifyBody = Type.Object({
  code: OptionalText,
  email: Type.Optional(Type.Unknown()),
  response: Type.Optional(Type.Unknown()),
  return_to: LinkToken,
  trust: Type.Optional(Type.Unknown()),
})

type Work<Result> = (tx: Tx, user: User, factor: SetUpFactor) => Promise<Result>

/** The step between the right password and the session, or later, in a session that began with a password alone. */
export const verifyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { origin } = app.site
  app.addHook('onRequest', app.loadAuth)

  app.get(paths.secondFactor().url, { schema: { querystring: VerifyQuery } }, async (request, reply) => {
    if (!request.auth) {
      const user = await pendingUserOf(request)
      if (!user) return startOver(request, reply)
      return reply.page('auth/second-factor', { ...(await factorsOf(app.db, user.id)), email: user.email })
    }
    const returnTo = returnToIn(request.query, origin) ?? app.flashStore.read(request)?.returnTo
    const provable = await provableIn(request)
    if (!provable) return redirectOnward(reply, returnTo)
    const { email } = request.signedIn.user
    return reply.page('auth/second-factor', { ...provable, email, ...(returnTo && { return_to: returnTo }) })
  })

  const form = (request: FastifyRequest) => paths.secondFactor(contextIn(request).returnTo).url
  const verifying = formRoute(form, 'second_factor', { body: VerifyBody })
  app.post(paths.proveSecondFactor().url, verifying, async (request, reply) => {
    if (!request.auth) return signIn(request, reply)
    const { session, user } = request.signedIn
    if (isOfAnother(request, user)) return refuseForm(request, reply)
    const { returnTo } = contextIn(request)
    if (!(await provableIn(request))) return redirectOnward(reply, returnTo)
    // Wrong ones count like those of a sign-in, and like any wrong challenge of a signed-in person.
    const proved = await guessing(app.db, session.userId, () =>
      prove(request, session.userId, async (tx, user, factor) => {
        const newDeviceId = await trustIfAsked(request, tx, user, factor)
        return { user, newDeviceId, token: await proveFactor(tx, session, factor) }
      }),
    )
    if (!proved) throw refusal(request)
    if (proved.newDeviceId) rememberDevice(reply, proved.user, proved.newDeviceId)
    return reply.setSession(proved.token).redirect(returnTo ?? paths.home().url)
  })

  async function signIn(request: FastifyRequest, reply: FastifyReply) {
    const pending = await pendingUserOf(request)
    if (!pending) {
      request.security('second_factor', 'stale')
      return startOver(request, reply)
    }
    if (isOfAnother(request, pending)) return refuseForm(request, reply)
    const { id: userId } = pending
    const context = contextOf(request)
    const { method = 'password', identity, sso } = context
    const started = await prove(request, userId, async (tx, user, factor) => {
      if (identity) await recordUse(tx, app.now(), userId, identity)
      if (sso && !(await mayPass(tx, user, sso))) return undefined
      const factors = { firstFactor: 'password', ...factorsIn(method), ...factorsWith(factor) } as const
      const newDeviceId = await trustIfAsked(request, tx, user, factor)
      const started = await startSession(app, tx, user, visitorOf(request), factors, { newDeviceId })
      if (sso) await recordPass(tx, app.now(), started.session.token, sso)
      return started
    })
    if (started) {
      await arriveBy(reply, { userId, context })
      return completeSignIn(clearPendingSignIn(reply), started, context)
    }
    if (await pendingUserOf(request)) throw refusal(request)
    return startOver(request, reply)
  }
}

/** Two tabs share the cookie of the newer sign-in: a right code of the older one must not count as a wrong one of it. */
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

/**
 * Trusts the browser, and returns the new id of its device. Never for a recovery code, which is for emergencies.
 */
async function trustIfAsked(request: FastifyRequest, tx: Tx, user: User, { factor, setUpAt }: SetUpFactor) {
  const { trust } = answerOf(request)
  if (factor === 'recovery_code' || (trust !== true && trust !== 'true')) return undefined
  if (!mayTrustBrowsers(request.server, user)) return undefined
  const { id: userId } = user
  const now = request.server.now()
  return trustBrowser(tx, { userId, twoFactorsSince: setUpAt, device: deviceOf(request), now })
}

/** Calls `work` in the transaction that spends the answer of the request. Undefined if it is wrong, which is logged. */
async function prove<Result>(request: FastifyRequest, userId: number, work: Work<Result>) {
  const { code, response } = answerOf(request)
  if (typeof code === 'string')
    return withCode(request, userId, code, (tx, user, factor) =>
      work(tx, user, { factor, setUpAt: user.secondFactorAt }),
    )
  if (response == null) throw new Invalid(wrongCode)
  return withPasskey(
    request,
    response,
    (tx, user, { createdAt }) => work(tx, user, { factor: 'passkey', setUpAt: createdAt }),
    userId,
  )
}

const refusal = (request: FastifyRequest) =>
  typeof answerOf(request).code === 'string' ? new Invalid(wrongCode) : new Invalid({}, passkeyRefused)

/**
 * The factors that this session can still prove. Undefined if the person has none, or it began with two and no workspace
 * wants another one.
 */
async function provableIn({ server: app, signedIn: { session } }: FastifyRequest) {
  const isLow = and(eq(sessions.token, session.token), not(hasTwoFactors))
  const isWanted = (await app.db.$count(sessions, isLow)) > 0 || (await wantsAnotherFactor(app, session))
  const factors = isWanted ? await factorsOf(app.db, session.userId) : undefined
  return factors && (factors.code || factors.passkey) ? factors : undefined
}

function startOver(request: FastifyRequest, reply: FastifyReply) {
  const { invitation, returnTo } = contextOf(request)
  return clearPendingSignIn(reply)
    .alert(text('Please sign in again'))
    .redirect(paths.signInPage(invitation, returnTo).url)
}

const redirectOnward = (reply: FastifyReply, returnTo: string | undefined) =>
  returnTo ? reply.redirect(returnTo) : reply.notice(text('You are already signed in')).redirect(paths.home().url)
