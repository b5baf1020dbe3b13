import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invitationIn, LinkToken, OptionalText } from '../../../plugins/forms/parameters.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { visitorOf } from '../../auth/device.ts'
import { askForSecondFactor } from '../../auth/pending-sign-in.ts'
import { completeSignIn } from '../../auth/sign-in.ts'
import { paths } from '../../paths.ts'
import type { Client } from '../clients/client.ts'
import { Cancelled, InvalidResponse } from '../clients/failures.ts'
import { consumeState, markOf, readState, type State, secretsOf, setPendingIdentity } from '../cookies.ts'
import { connect, type Known, recognize, signInWithIdentity } from '../identities.ts'
import { answerConnection, type Clients, clientIn, redirectToProvider, refuse, report } from '../replies.ts'

type Options = { clients: Clients; origin: string }

export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { clients, origin }) => {
  const { of, require } = clientIn(clients)
  const starting = {
    onRequest: [require, app.requireGuest],
    schema: { body: Type.Object({ invitation: LinkToken, return_to: OptionalText }) },
    config: { form: paths.signIn().url, rateLimit: budget('provider_start') },
  }
  app.post('/sign_in/with/:provider', starting, async (request, reply) => {
    const invitation = invitationIn(request.body.invitation) || undefined
    const returnTo = returnToIn(request.body, origin)
    return redirectToProvider(reply, of(request), { invitation, returnTo })
  })

  const returning = {
    onRequest: [require, app.loadAuth],
    config: { form: paths.security().url },
    exposeHeadRoute: false, // link previews must not use it up
  }
  app.get('/sign_in/with/:provider/callback', returning, async (request, reply) => {
    const client = of(request)
    const { state, error } = request.query as Record<string, unknown>
    const begun = readState(reply, state)
    try {
      if (!begun) throw new InvalidResponse('state_unknown')
      if (!(await consumeState(app.db, begun))) throw new InvalidResponse('state_spent')
      if (begun.provider !== client.id) throw new InvalidResponse('state_of_another_provider')
      if (isElsewhere(request, begun)) throw new InvalidResponse('state_of_another_session')
      if (request.auth && !begun.session) return reply.redirect(paths.home().url)
      if (error === 'access_denied') throw new Cancelled()

      const parameters = new URL(request.url, origin).searchParams
      const known = { ...(await client.finish(parameters, secretsOf(begun))), provider: client }
      if (!begun.session) return await signInWith(reply, client, known, begun)
      const outcome = await connect(app, request.signedIn.session, known)
      if (outcome === 'connected') report(reply, client, 'connected')
      return answerConnection(reply, client, outcome)
    } catch (error) {
      return refuse(reply, client, begun ?? {}, error)
    }
  })

  /** Signs in the user of the identity, and offers a sign-up to others. */
  async function signInWith(reply: FastifyReply, client: Client, known: Known, { invitation, returnTo }: State) {
    const found = await recognize(app.db, known)
    if (!found) {
      report(reply, client, 'unknown')
      setPendingIdentity(reply, { ...known, provider: client.id, invitation, returnTo })
      return reply.redirect(paths.providerSignUp(client.id).url)
    }
    const { id, user } = found
    report(reply, client, 'right', { user: user.id })
    const begun = { method: `provider:${client.id}`, identity: { id, email: known.email, name: known.name } } as const
    const context = { ...(invitation && { invitation }), returnTo, ...begun }
    const started = await signInWithIdentity(app, { userId: user.id, ...begun }, visitorOf(reply.request))
    if (started) return completeSignIn(app, reply, started, context)
    if (user.secondFactorAt) return askForSecondFactor(reply, user, context)
    throw new InvalidResponse('changed_meanwhile')
  }
}

/** Whether it began in another session than this one. */
const isElsewhere = ({ auth }: FastifyRequest, { session }: State) =>
  session !== undefined && (!auth || markOf(auth.session.token) !== session)
