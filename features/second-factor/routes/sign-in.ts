import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { TooManyRequests } from '../../../plugins/security/limits/index.ts'
import type { SecondFactor, SignInStep } from '../../../plugins/security/sign-in-methods.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { signInAgain } from '../../auth/routes/second-step.ts'
import { startSession } from '../../auth/sessions.ts'
import { paths } from '../../paths.ts'
import { recordUse } from '../../providers/identities.ts'
import { lockFactor, tryCode } from '../attempts.ts'
import { normalizeCode } from '../codes.ts'
import { clearPendingSignIn, contextOf, isPending, pendingUserOf, setPendingSignIn } from '../pending.ts'
import { secondFactorOf, wrongCode } from '../second-factors.ts'

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
    const { method: first = 'password', identity } = context
    const started = await factor.prove(request, userId, async (tx, user, proved) => {
      if (identity) await recordUse(tx, app.now(), userId, identity)
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

/** A code of the authenticator app or a recovery code: at sign-in, or for sessions that began with a password alone. */
export const byCode = (app: FastifyInstance): SecondFactor => ({
  name: 'code',
  isOffered: async (db, userId) => (await secondFactorOf(db, userId)) !== undefined,
  isAnswered: (request) => typeof answerOf(request) === 'string',
  refusal: () => new Invalid(wrongCode),

  async prove(request, userId, work) {
    const code = normalizeCode(answerOf(request) ?? '')
    if (code === '') throw new Invalid(wrongCode) // not a guess
    const proof = await app.db.transaction(async (tx) => {
      const held = await lockFactor(tx, userId)
      const isOpen = held && (request.auth ? held.user.secondFactorAt : isPending(request, held.user, held.factor))
      // Whoever was faster with the same code has ended the pending sign-in: that is no wrong guess.
      if (!isOpen) return { outcome: request.auth ? 'wrong' : 'stale' } as const
      const tried = await tryCode(app, tx, held, code)
      return tried.outcome === 'right' ? { ...tried, result: await work(tx, held.user, tried.kind) } : tried
    })
    request.security('second_factor', proof.outcome, { user: userId })
    if (proof.outcome === 'locked') throw new TooManyRequests('second_factor', proof.lockedFor)
    return proof.outcome === 'right' ? proof.result : undefined
  },
})

const answerOf = ({ body }: FastifyRequest) => (body as { code?: string | null }).code
