import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../../plugins/database/index.ts'
import { Invalid } from '../../../plugins/forms/index.ts'
import { guessing, TooManyRequests } from '../../../plugins/security/limits/index.ts'
import { addFactor } from '../../auth/methods.ts'
import { sessionOf } from '../../auth/requests.ts'
import type { Challenges } from '../../passkeys/challenges.ts'
import type { RelyingParty } from '../../passkeys/relying-party.ts'
import { logCounter, readSignInChallenge, refused } from '../../passkeys/routes/sign-in.ts'
import { withPasskey } from '../../passkeys/sign-ins.ts'
import { paths } from '../../paths.ts'
import { normalizeCode } from '../codes.ts'
import { isAnswer, type Verification } from '../schemas.ts'
import { wrongCode } from '../second-factors.ts'
import { provableIn, verifyInSession } from '../sign-ins.ts'

export type Options = { party: RelyingParty; challenges: Challenges; origin: string }

/** For signed-in people whose session began with a password alone, and who want to open what asks for more. */
export function inSession(app: FastifyInstance, { party, challenges }: Options) {
  async function show(request: FastifyRequest, reply: FastifyReply, returnTo: string | undefined) {
    const provable = await provableIn(app.db, sessionOf(request))
    if (!provable) return leadOn(reply, returnTo)
    return reply.page('auth/second-factor', returnTo ? { ...provable, return_to: returnTo } : provable)
  }

  async function prove(
    request: FastifyRequest,
    reply: FastifyReply,
    { code, response }: Verification,
    returnTo: string | undefined,
  ) {
    const session = sessionOf(request)
    if (!(await provableIn(app.db, session))) return leadOn(reply, returnTo)
    const goOn = () => reply.redirect(returnTo ?? paths.home().url)
    // Wrong ones count as those of a sign-in, and as any other that a signed-in person gets wrong.
    const tried = <Result>(verify: () => Promise<Result | undefined>) =>
      guessing(app.db, 'challenge', session.userId, verify)

    if (isAnswer(response)) {
      const answer = { response, isOurs: readSignInChallenge(challenges, request), of: session.userId }
      const add = (tx: Tx) => addFactor(tx, session, 'passkey')
      const proved = await tried(async () => logCounter(request, await withPasskey(app, party, answer, add)).result)
      return proved ? goOn() : refusePasskey(request, reply, returnTo)
    }
    if (normalizeCode(code ?? '') === '') throw new Invalid(wrongCode)
    const proof = await tried(async () => {
      const proof = await verifyInSession(app, session, code ?? '')
      return proof.outcome === 'wrong' ? undefined : proof
    })
    request.security('second_factor', proof?.outcome ?? 'wrong')
    return proof?.outcome === 'right' ? goOn() : refuseCode(proof)
  }

  return { show, prove }
}

/** There is nothing to prove, such as in the second of two tabs. */
const leadOn = (reply: FastifyReply, returnTo: string | undefined) =>
  returnTo ? reply.redirect(returnTo) : reply.notice('You are already signed in').redirect(paths.home().url)

export function refusePasskey(request: FastifyRequest, reply: FastifyReply, returnTo?: string) {
  request.security('passkey', 'wrong')
  return reply.alert(refused).redirect(paths.secondFactor(returnTo).url)
}

export function refuseCode(proof: { outcome: 'wrong' } | { outcome: 'locked'; lockedFor: number } | undefined): never {
  if (proof?.outcome === 'locked') throw new TooManyRequests('second_factor', proof.lockedFor)
  throw new Invalid(wrongCode)
}
