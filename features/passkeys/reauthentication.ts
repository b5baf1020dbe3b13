import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../../plugins/json.ts'
import type { Reauthentication } from '../../plugins/security/reauthentication.ts'
import { findAssertion, isCopied, spendAssertion } from './assertions.ts'
import { type ChallengeScope, isSpent } from './challenges.ts'
import { isTooLong, type RelyingParty } from './relying-party.ts'

/** One of the person's passkeys, wherever the current password is asked for. */
export const byPasskey = ({ db }: Pick<FastifyInstance, 'db'>, party: RelyingParty) => ({
  field: 'passkey_challenge',
  async verify(request: FastifyRequest, answer: unknown): Promise<Reauthentication['redeem'] | undefined> {
    const { id } = request.signedIn.user
    const found = await findAssertion(db, party, reauthenticationScope(id), parsed(answer), id)
    if (!found?.assertion) return undefined
    const { passkey, assertion } = found
    if (isCopied(passkey, assertion)) {
      request.security('passkey', 'counter')
      return undefined
    }
    if (await isSpent(db, assertion.answered.challenge)) return undefined
    return (tx) => spendAssertion(request, tx, passkey, assertion)
  },
})

export const reauthenticationScope = (userId: number): ChallengeScope => ({
  purpose: 'reauthentication',
  of: String(userId),
})

/** Forms send the assertion as JSON. */
function parsed(answer: unknown) {
  if (typeof answer !== 'string') return answer
  return isTooLong(answer) ? undefined : parseJson(answer)
}
