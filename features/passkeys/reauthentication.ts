import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Reauthentication } from '../../plugins/security/reauthentication.ts'
import { authOf } from '../../plugins/security/session.ts'
import { findAssertion, judgeCounter, usePasskey } from './assertions.ts'
import { type ChallengeScope, type Challenges, isSpent } from './challenges.ts'
import { isTooLong, type RelyingParty } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'now'>
type Options = { party: RelyingParty; challenges: Challenges }

/** One of the person's passkeys, wherever the current password is asked for. */
export const byPasskey = ({ db, now }: App, { party, challenges }: Options) => ({
  field: 'passkey_challenge',
  async verify(request: FastifyRequest, answer: unknown): Promise<Reauthentication['redeem'] | undefined> {
    const userId = authOf(request).user.id
    const isOurs = (challenge: string) => challenges.read(reauthenticationScope(userId), challenge)
    const found = await findAssertion(db, party, { response: parsed(answer), isOurs, userId })
    if (!found?.assertion) return undefined
    const { passkey, assertion } = found
    if (!judgeCounter(passkey, assertion).accepted) {
      request.security('passkey', 'counter')
      return undefined
    }
    if (await isSpent(db, assertion.answered.challenge)) return undefined

    return async (tx) => {
      const { accepted, counter } = await usePasskey(tx, now(), passkey.id, assertion)
      if (counter === 'behind') request.security('passkey', 'counter')
      return accepted
    }
  },
})

export const reauthenticationScope = (userId: number): ChallengeScope => ({
  purpose: 'reauthentication',
  of: String(userId),
})

/** Forms send the assertion as JSON. */
function parsed(answer: unknown) {
  if (typeof answer !== 'string') return answer
  if (isTooLong(answer)) return undefined
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}
