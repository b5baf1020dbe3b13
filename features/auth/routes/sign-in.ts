import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { clientOf } from '../../../plugins/http/client.ts'
import { ownPath } from '../../../plugins/http/own-path.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { pendingInvitation } from '../../accounts/invitations.ts'
import { comingFrom } from '../../activity/index.ts'
import { paths } from '../../paths.ts'
import { arrive } from '../arrival.ts'
import { guessFinder, takeBack } from '../guesses.ts'
import { presentInvitation } from '../props.ts'
import { recordRefusal } from '../refusals.ts'
import { requireFields, SignInBody, SignInQuery } from '../schemas.ts'
import { signIn, verifyCredentials } from '../sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user whose password was wrong. */
    refused: number | null
  }
}

type Options = { origin: string; invitationOnly: boolean }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { origin, invitationOnly }) => {
  app.addHook('onRequest', app.requireGuest)

  const always = invitationOnly ? ({ invitation_only: true } as const) : {}
  app.get(paths.signIn().url, { schema: { querystring: SignInQuery } }, (request, reply) => {
    const token = onlyToken(request.query.invitation)
    const returnTo = ownPath(request.query.return_to, origin) ?? app.carrier.read(request)?.returnTo
    const props = returnTo ? { ...always, return_to: returnTo } : always
    if (!token) return reply.page('auth/sign-in', props)
    return pendingInvitation(app, token).then((invitation) =>
      reply.page('auth/sign-in', invitation ? { ...props, invitation: presentInvitation(invitation) } : props),
    )
  })

  app.decorateRequest('refused', null)
  const findForGuess = guessFinder(app.db)
  const options = {
    schema: { body: SignInBody },
    config: { form: paths.signIn().url, rateLimit: budget('sign_in') },
    // After the response, so its timing does not reveal whether the address is known.
    onResponse: async (request: FastifyRequest) => {
      const { refused } = request
      if (refused === null) return
      await comingFrom(clientOf(request), () => recordRefusal(app.db, refused, clientOf(request)))
    },
  }
  app.post(paths.createSession().url, options, async (request, reply) => {
    const { email, password } = requireFields(request.body, ['email', 'password'])
    const invitation = onlyToken(request.body.invitation)
    const returnTo = ownPath(request.body.return_to ?? undefined, origin)

    const credentials = { email, password, device: request.device() }
    const { user, guess, verified } = await verifyCredentials(app.db, findForGuess, credentials)
    const further = verified && (await app.proofs.ask(verified, { invitation, returnTo }, reply))
    if (further) {
      await takeBack(app.db, guess)
      return reply.redirect(further)
    }
    const started = verified && (await signIn(app, verified, guess, clientOf(request)))
    if (started) return arrive(app, reply, started, { invitation, returnTo })
    request.security('sign_in', 'wrong', { user: user?.id })
    request.refused = user?.id ?? null
    return reply.alert('That email or password is incorrect').redirect(paths.signIn(invitation, returnTo).url)
  })
}
