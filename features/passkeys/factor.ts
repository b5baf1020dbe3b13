import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { oneTimeValues } from '../../drizzle/schema.ts'
import type { Passkey } from '../../drizzle/tables/passkeys.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { parseJson } from '../../plugins/http/bodies.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { factorsOfPasskey, hasPasskey } from './ways-in.ts'
import {
  type Assertion,
  consumeAssertion,
  findAssertion,
  isCopied,
  passkeyRefused,
  withPasskey,
} from './webauthn/assertions.ts'
import { isTooLong } from './webauthn/relying-party.ts'
import { passkeyWords } from './words.ts'

type Proof = { request: FastifyRequest; passkey: Passkey; assertion: Assertion }

/** Two factors by itself. */
export const byPasskey: FirstFactor<Proof> = {
  id: 'passkey',
  words: passkeyWords,
  lock: 'no key update',
  holds: (tx, _user, { request, passkey, assertion }) => consumeAssertion(request, tx, passkey, assertion),
  twoFactorsSince: ({ passkey }) => passkey.createdAt,
}

/** A passkey as the first factor, and as the second step. */
export function signInByPasskey(app: FastifyInstance) {
  app.firstFactors.add(byPasskey)
  app.secondSteps.add({
    id: 'passkey',
    isSetUp: hasPasskey,
    isAnsweredBy: ({ response }) => response != null,
    prove: (request, userId, { response }, work) =>
      withPasskey(request, response, userId, (tx, user, { createdAt }) => work(tx, user, factorsOfPasskey(createdAt))),
    refusal: () => new Invalid({}, passkeyRefused),
  })
}

export const reauthenticationScope = (userId: number) => ({ purpose: 'reauthentication', of: String(userId) }) as const

/** A passkey in place of the current password. */
export function reauthenticateByPasskey(app: FastifyInstance) {
  app.reauthenticationProofs.add({
    field: 'passkey_challenge',
    async verify(request, answer) {
      const { id } = request.signedIn.user
      const match = await findAssertion(app, reauthenticationScope(id), assertionIn(answer), id)
      if (!match?.assertion) return undefined
      const { passkey, assertion } = match
      if (isCopied(passkey, assertion)) return void request.security('passkey', 'counter')
      if ((await app.db.$count(oneTimeValues, eq(oneTimeValues.value, assertion.answered.value))) > 0) return undefined
      return (tx) => consumeAssertion(request, tx, passkey, assertion)
    },
  })
  app.share('has_passkey', ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    return async () => (await hasPasskey(app.db, auth.user.id)) || undefined
  })
}

function assertionIn(answer: unknown) {
  if (typeof answer !== 'string') return answer
  return isTooLong(answer) ? undefined : parseJson(answer)
}
