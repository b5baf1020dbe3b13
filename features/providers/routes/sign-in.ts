import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invitationIn } from '../../../plugins/forms/parameters.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { returnToIn } from '../../../plugins/security/return-path.ts'
import { visitorOf } from '../../auth/device.ts'
import { askForSecondFactor } from '../../auth/pending-sign-in.ts'
import { completeSignIn } from '../../auth/sign-in.ts'
import { paths } from '../../paths.ts'
import type { Client } from '../clients/client.ts'
import { Cancelled, InvalidResponse } from '../clients/failures.ts'
import { connect, type Known, recognize, signInWithIdentity } from '../identities.ts'
import { setPendingIdentity } from '../pending-identity.ts'
import { answerConnection, redirectToProvider, refuse, report } from '../replies.ts'
import { type Clients, clientIn } from '../requests.ts'
import { StartBody } from '../schemas.ts'
import { markOf, type Start, secretsOf, spendStart, takeStart } from '../starts.ts'

type Options = { clients: Clients; origin: string }

/** The way to a provider and back. */
export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { clients, origin }) => {
  const { of, require } = clientIn(clients)
  const starting = {
    onRequest: [require, app.requireGuest],
    schema: { body: StartBody },
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
    exposeHeadRoute: false, // what looks at a link must not spend it
  }
  app.get('/sign_in/with/:provider/callback', returning, async (request, reply) => {
    const client = of(request)
    const { state, error } = request.query as Record<string, unknown>
    const start = takeStart(reply, state)
    try {
      if (!start) throw new InvalidResponse('state_unknown')
      if (!(await spendStart(app.db, start))) throw new InvalidResponse('state_spent')
      if (start.provider !== client.id) throw new InvalidResponse('state_of_another_provider')
      if (isElsewhere(request, start)) throw new InvalidResponse('state_of_another_session')
      if (request.auth && !start.session) return reply.redirect(paths.home().url)
      if (error === 'access_denied') throw new Cancelled()

      const parameters = new URL(request.url, origin).searchParams
      const known = { ...(await client.finish(parameters, secretsOf(start))), provider: client }
      if (!start.session) return await signInWith(reply, client, known, start)
      const outcome = await connect(app, request.signedIn.session, known)
      if (outcome === 'connected') report(reply, client, 'connected')
      return answerConnection(reply, client, outcome)
    } catch (error) {
      return refuse(reply, client, start ?? {}, error)
    }
  })

  /** Signs in whoever is known, and asks everyone else who they want to be. */
  async function signInWith(reply: FastifyReply, client: Client, known: Known, { invitation, returnTo }: Start) {
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

/** Whether the start belongs to a session, and this is not the one. */
const isElsewhere = ({ auth }: FastifyRequest, { session }: Start) =>
  session !== undefined && (!auth || markOf(auth.session.token) !== session)
