import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { ownPath } from '../../../plugins/http/own-path.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { arrive } from '../../auth/arrival.ts'
import { visitorOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import type { Asked, Challenges } from '../challenges.ts'
import { type RelyingParty, requestOptions } from '../relying-party.ts'
import { AssertionBody } from '../schemas.ts'
import { signInWithPasskey } from '../sign-ins.ts'

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    /** `counter`: the authenticator's counter went backwards, as that of a copy would. */
    passkey: 'wrong' | 'counter' | 'added' | 'removed'
  }
}

type Options = { party: RelyingParty; challenges: Challenges; origin: string }

export const refused = "That passkey didn't work. Try again"

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { party, challenges, origin }) => {
  app.addHook('onRequest', app.requireGuest)

  app.post(paths.passkeySignInOptions().url, async (request) => requestOptions(party, challenges.mint(asked(request))))

  const config = { form: paths.signIn().url, rateLimit: budget('passkey') }
  app.post(paths.signInWithPasskey().url, { schema: { body: AssertionBody }, config }, async (request, reply) => {
    const invitation = onlyToken(request.body.invitation)
    const returnTo = ownPath(request.body.return_to ?? undefined, origin)
    const isOurs = (challenge: string) => challenges.read(asked(request), challenge)

    const answer = { response: request.body.response, isOurs, visitor: visitorOf(request) }
    const { user, counter, started } = await signInWithPasskey(app, party, answer)
    if (counter === 'behind') request.security('passkey', 'counter', { user })
    if (started) return arrive(app, reply, started, { invitation, returnTo })
    request.security('passkey', 'wrong', { user })
    return reply.alert(refused).redirect(paths.signIn(invitation, returnTo).url)
  })
}

/** The challenge must be answered in the browser that requested it. */
const asked = (request: FastifyRequest): Asked => ({
  purpose: 'sign_in',
  of: request.signedCookie('csrf_secret') ?? '',
})
