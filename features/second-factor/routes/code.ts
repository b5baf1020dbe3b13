import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { TooManyRequests } from '../../../plugins/security/limits/index.ts'
import type { SecondFactor } from '../../../plugins/security/sign-in-methods.ts'
import { lockFactor, tryCode } from '../attempts.ts'
import { normalizeCode } from '../codes.ts'
import { isPending } from '../pending.ts'
import { secondFactorOf, wrongCode } from '../second-factors.ts'

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
