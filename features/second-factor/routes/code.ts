import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { TooManyRequests } from '../../../plugins/security/limits/index.ts'
import type { SecondFactor } from '../../../plugins/security/ways-in.ts'
import { lockFactor, tryCode } from '../attempts.ts'
import { normalizeCode } from '../codes.ts'
import { secondFactorOf, wrongCode } from '../second-factors.ts'

/** A code of the authenticator app or a recovery code, for sessions that began with a password alone. */
export const byCode = (app: FastifyInstance): SecondFactor => ({
  name: 'code',
  isOffered: async (db, userId) => (await secondFactorOf(db, userId)) !== undefined,
  isAnswered: (request) => typeof answerOf(request) === 'string',
  refusal: () => new Invalid(wrongCode),

  async prove(request, userId, work) {
    const code = codeOf(request)
    if (normalizeCode(code) === '') throw new Invalid(wrongCode) // not a guess
    const proof = await app.db.transaction(async (tx) => {
      const held = await lockFactor(tx, userId)
      if (!held?.user.secondFactorAt) return { outcome: 'wrong' } as const
      const tried = await tryCode(app, tx, held, code)
      return tried.outcome === 'right' ? { ...tried, result: await work(tx, held.user, tried.kind) } : tried
    })
    request.security('second_factor', proof.outcome, { user: userId })
    if (proof.outcome === 'right') return proof.result
    return proof.outcome === 'locked' ? refuseCode(proof) : undefined
  },
})

const answerOf = ({ body }: FastifyRequest) => (body as { code?: string | null }).code

export const codeOf = (request: FastifyRequest) => answerOf(request) ?? ''

export function refuseCode(proof: { outcome: 'wrong' } | { outcome: 'locked'; lockedFor: number }): never {
  if (proof.outcome === 'locked') throw new TooManyRequests('second_factor', proof.lockedFor)
  throw new Invalid(wrongCode)
}
