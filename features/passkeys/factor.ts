import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Passkey } from '../../drizzle/tables/passkeys.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import type { FirstFactor } from '../auth/first-factors.ts'
import { hasPasskey } from './ways-in.ts'
import { type Assertion, consumeAssertion, passkeyRefused, withPasskey } from './webauthn/assertions.ts'
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
      withPasskey(request, response, userId, (tx, user, { createdAt }) =>
        work(tx, user, { factor: 'passkey', setUpAt: createdAt }),
      ),
    refusal: () => new Invalid({}, passkeyRefused),
  })
}
