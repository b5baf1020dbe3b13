import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Tx } from '../../plugins/database/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { instrument } from '../../plugins/instrumentation.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import type { SecurityEvents } from '../../plugins/security/log.ts'
import { visitorOf } from '../auth/device.ts'
import { askForSecondFactor } from '../auth/pending-sign-in.ts'
import { completeSignIn, contextFields, contextIn, startWithOneFactor } from '../auth/sign-in.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import type { ProviderClient, ProviderProfile } from './clients/client.ts'
import { Cancelled, InvalidResponse, ProviderUnavailable } from './clients/failures.ts'
import {
  consumeState,
  markOf,
  readState,
  type SignInIntent,
  type State,
  saveState,
  secretsOf,
  setPendingIdentity,
} from './cookies.ts'
import { connect, recognize, recordUse } from './identities.ts'

export type Clients = Map<string, ProviderClient>

/** Finds the provider that a URL names, also as a guard: 404 for providers that are not configured. */
export const clientIn = (clients: Clients) => {
  const of = (request: FastifyRequest) => {
    const client = clients.get((request.params as { provider: string }).provider)
    if (!client) throw new NotFound()
    return client
  }
  return { of, require: async (request: FastifyRequest) => void of(request) }
}

export const signInRoutes: FastifyPluginAsyncTypebox<{ clients: Clients }> = async (app, { clients }) => {
  const { origin } = app.site
  const { of, require } = clientIn(clients)
  const starting = {
    ...formRoute(paths.signIn().url, 'provider_start', { body: Type.Object(contextFields) }),
    onRequest: [require, app.requireGuest],
  }
  app.post('/sign_in/with/:provider', starting, (request, reply) =>
    redirectToProvider(reply, of(request), contextIn(request)),
  )

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
      const known = await client.finish(parameters, secretsOf(begun))
      if (!begun.session) return await signInWith(reply, client, known, begun)
      const outcome = await connect(app, request.signedIn.session, known)
      if (outcome === 'connected') report(reply, client, 'connected')
      return answerConnection(reply, client, outcome)
    } catch (error) {
      return refuse(reply, client, begun ?? {}, error)
    }
  })

  async function signInWith(reply: FastifyReply, client: ProviderClient, known: ProviderProfile, begun: State) {
    const { invitation, returnTo } = begun
    const found = await recognize(app.db, known)
    if (!found) {
      report(reply, client, 'unknown')
      setPendingIdentity(reply, { ...known, invitation, returnTo })
      return reply.redirect(paths.providerSignUp(client.id).url)
    }
    const { id, user } = found
    report(reply, client, 'right', { user: user.id })
    const method = `provider:${client.id}` as const
    const identity = { id, email: known.email, name: known.name }
    const context = { ...(invitation && { invitation }), returnTo, method, identity }
    const holds = (tx: Tx) => recordUse(tx, app.now(), user.id, identity) // unless it was disconnected since
    const started = await startWithOneFactor(app, user.id, { method, visitor: visitorOf(reply.request), holds })
    if (started) return completeSignIn(reply, started, context)
    if (user.secondFactorAt) return askForSecondFactor(reply, user, context)
    throw new InvalidResponse('changed_meanwhile')
  }
}

const isElsewhere = ({ auth }: FastifyRequest, { session }: State) =>
  session !== undefined && (!auth || markOf(auth.session.token) !== session)

type Outcome = Exclude<SecurityEvents['provider'], 'disconnected'>

export async function redirectToProvider(reply: FastifyReply, client: ProviderClient, intent: SignInIntent) {
  try {
    return reply.external(String(await client.begin(saveState(reply, client.id, intent))))
  } catch (error) {
    return refuse(reply, client, intent, error)
  }
}

/** Redirects back to where the person came from. Throws errors that are not about the provider. */
function refuse(reply: FastifyReply, client: ProviderClient, intent: SignInIntent, error: unknown) {
  const [outcome, alert] = judge(client, error)
  report(reply, client, outcome, error instanceof InvalidResponse ? { reason: error.reason } : {})
  const back = intent.session ? paths.security() : paths.signIn(intent.invitation, intent.returnTo)
  return reply.alert(alert).redirect(back.url)
}

function judge({ name }: ProviderClient, error: unknown): [Outcome, Text] {
  if (error instanceof Cancelled) return ['cancelled', text('You cancelled {name}', { name })]
  if (error instanceof ProviderUnavailable)
    return ['unreachable', text("{name} can't be reached. Try again later", { name })]
  if (error instanceof InvalidResponse) return ['refused', text("{name} didn't work. Try again", { name })]
  throw error
}

type About = { user?: number; reason?: string }

function report(reply: FastifyReply, { id: provider }: ProviderClient, outcome: Outcome, about: About = {}) {
  instrument('provider', { provider, outcome })
  reply.request.security('provider', outcome, { ...about, provider })
}

type Connection = Awaited<ReturnType<typeof connect>>

export function answerConnection(reply: FastifyReply, { name }: ProviderClient, outcome: Connection) {
  if (outcome === 'taken') reply.alert(text('That {name} account is connected to somebody else', { name }))
  else if (outcome === 'full') reply.alert(text('You have 10 connected accounts already'))
  else if (outcome !== 'spent') reply.notice(text('{name} is connected', { name }))
  return reply.redirect(paths.security().url)
}
