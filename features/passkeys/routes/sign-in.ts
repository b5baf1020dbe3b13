import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Invalid } from '../../../plugins/forms/index.ts'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { ownPath } from '../../../plugins/http/own-path.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import type { SecondFactor } from '../../../plugins/security/ways-in.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { visitorOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import type { Challenges } from '../challenges.ts'
import { hasPasskey } from '../passkeys.ts'
import { type RelyingParty, requestOptions } from '../relying-party.ts'
import { AssertionBody } from '../schemas.ts'
import { signInWithPasskey, withPasskey } from '../sign-ins.ts'

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    /** `counter`: the authenticator's counter went backwards, as that of a copy would. */
    passkey: 'wrong' | 'counter' | 'added' | 'removed'
  }
}

type Options = { party: RelyingParty; challenges: Challenges; origin: string }

export const refused = text("That passkey didn't work. Try again")

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { party, challenges, origin }) => {
  // For signed-in people, too, who prove their second factor later (/sign_in/verify).
  const asking = { config: { rateLimit: budget('passkey_request') } }
  app.post(paths.passkeySignInOptions().url, asking, async (request) =>
    requestOptions(party, challenges.mint(signInScope(request))),
  )

  const options = {
    onRequest: app.requireGuest,
    schema: { body: AssertionBody },
    config: { form: paths.signIn().url, rateLimit: budget('passkey') },
  }
  app.post(paths.signInWithPasskey().url, options, async (request, reply) => {
    const invitation = onlyToken(request.body.invitation)
    const returnTo = ownPath(request.body.return_to ?? undefined, origin)
    const isOurs = readSignInChallenge(challenges, request)

    const answer = { response: request.body.response, isOurs, visitor: visitorOf(request) }
    const { user, result: started } = logCounter(request, await signInWithPasskey(app, party, answer))
    if (started) return completeSignIn(app, reply, started, { invitation, returnTo })
    request.security('passkey', 'wrong', { user })
    return reply.alert(refused).redirect(paths.signIn(invitation, returnTo).url)
  })
}

/** A passkey in place of a code. */
export const asSecondFactor = (app: FastifyInstance, { party, challenges }: Omit<Options, 'origin'>): SecondFactor => ({
  name: 'passkey',
  isOffered: hasPasskey,
  isAnswered: (request) => answerOf(request) != null,
  refusal: () => new Invalid({}, refused),

  async prove(request, userId, work) {
    const answer = { response: answerOf(request), isOurs: readSignInChallenge(challenges, request), of: userId }
    const outcome = await withPasskey(app, party, answer, (tx, user) => work(tx, user, 'passkey'))
    const { result } = logCounter(request, outcome)
    if (result === undefined) request.security('passkey', 'wrong')
    return result
  },
})

const answerOf = ({ body }: FastifyRequest) => (body as { response?: unknown }).response

/** The challenge must be answered in the browser that requested it. */
const signInScope = (request: FastifyRequest) =>
  ({ purpose: 'sign_in', of: request.signedCookie('csrf_secret') ?? '' }) as const

/** Logs what looks like a copied authenticator. */
function logCounter<Outcome extends { counter: string; user?: number }>(request: FastifyRequest, outcome: Outcome) {
  if (outcome.counter === 'behind') request.security('passkey', 'counter', { user: outcome.user })
  return outcome
}

/** Recognizes the challenges of this browser's sign-in. */
const readSignInChallenge = (challenges: Challenges, request: FastifyRequest) => (challenge: string) =>
  challenges.read(signInScope(request), challenge)
