import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { emit } from '../../../plugins/events.ts'
import { onlyToken } from '../../../plugins/forms/parameters.ts'
import { ownPath } from '../../../plugins/http/own-path.ts'
import { type Text, text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { completeSignIn } from '../../auth/complete-sign-in.ts'
import { sessionOf, visitorOf } from '../../auth/requests.ts'
import { paths } from '../../paths.ts'
import { rememberArrival } from '../arrivals.ts'
import type { Arrived, Client } from '../clients/client.ts'
import { Cancelled, OutOfReach, Untrusted } from '../clients/failures.ts'
import { connect, recognize } from '../identities.ts'
import { clientIn, type Options } from '../requests.ts'
import { StartBody } from '../schemas.ts'
import { signInWithIdentity } from '../sign-ins.ts'
import { markOf, rememberStart, type Start, secretsOf, spendStart, takeStart } from '../starts.ts'

declare module '../../../plugins/security/log.ts' {
  interface SecurityEvents {
    /** Ways back from a provider, and changes of connections. `unknown`: nobody here is connected to who came. */
    provider: 'refused' | 'cancelled' | 'unreachable' | 'right' | 'unknown' | 'connected' | 'disconnected'
  }
}

type Outcome = 'refused' | 'cancelled' | 'unreachable' | 'right' | 'unknown' | 'connected'

/** The way to a provider and back. */
export const signInRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { clients, origin }) => {
  const starting = {
    onRequest: [clientIn(clients).require, app.requireGuest],
    schema: { body: StartBody },
    config: { form: paths.signIn().url, rateLimit: budget('provider_start') },
  }
  app.post('/sign_in/with/:provider', starting, async (request, reply) => {
    const client = clientIn(clients).of(request)
    const invitation = onlyToken(request.body.invitation) || undefined
    const returnTo = ownPath(request.body.return_to ?? undefined, origin)
    try {
      return reply.external(String(await client.begin(rememberStart(app, reply, client.id, { invitation, returnTo }))))
    } catch (error) {
      return refuse(reply, client, { invitation, returnTo }, error)
    }
  })

  const returning = {
    onRequest: [clientIn(clients).require, app.loadAuth],
    config: { form: paths.security().url },
    exposeHeadRoute: false, // what looks at a link must not spend it
  }
  app.get('/sign_in/with/:provider/callback', returning, async (request, reply) => {
    const client = clientIn(clients).of(request)
    const { state, error } = request.query as Record<string, unknown>
    const start = takeStart(app, reply, state)
    try {
      if (!start) throw new Untrusted('state_unknown')
      if (!(await spendStart(app.db, start))) throw new Untrusted('state_spent')
      if (start.provider !== client.id) throw new Untrusted('state_of_another_provider')
      if (isElsewhere(request, start)) throw new Untrusted('state_of_another_session')
      if (request.auth && !start.session) return reply.redirect(paths.home().url)
      if (error === 'access_denied') throw new Cancelled()

      const parameters = new URL(request.url, origin).searchParams
      const arrived = await client.finish(parameters, secretsOf(start))
      if (start.session) return await connectTo(request, reply, client, arrived)
      return await enter(request, reply, client, arrived, start)
    } catch (error) {
      return refuse(reply, client, start, error)
    }
  })

  /** Signs in whoever is known, and asks everybody else who they want to be. */
  async function enter(request: FastifyRequest, reply: FastifyReply, client: Client, arrived: Arrived, start: Start) {
    const { invitation, returnTo } = start
    const user = await recognize(app, arrived)
    if (!user) {
      tell(request, client, 'unknown')
      rememberArrival(app, reply, { ...arrived, provider: client.id, invitation })
      return reply.redirect(paths.providerSignUp(client.id).url)
    }
    tell(request, client, 'right', { user: user.id })
    const context = { ...(invitation && { invitation }), returnTo, method: `provider:${client.id}` as const }
    const nextStep = await app.waysIn.signInStep?.next(user, context, reply)
    if (nextStep) return reply.redirect(nextStep)
    const started = await signInWithIdentity(app, user.id, { ...arrived, provider: client }, visitorOf(request))
    if (!started) throw new Untrusted('changed_meanwhile')
    return completeSignIn(app, reply, started, context)
  }

  async function connectTo(request: FastifyRequest, reply: FastifyReply, client: Client, arrived: Arrived) {
    const outcome = await connect(app, sessionOf(request), { ...arrived, provider: client })
    if (outcome === 'connected') tell(request, client, 'connected')
    return sayConnected(reply, client, outcome)
  }

  function refuse(reply: FastifyReply, client: Client, begun: Partial<Start> | undefined, error: unknown) {
    const [outcome, alert] = told(client, error)
    const reason = error instanceof Untrusted ? { reason: error.reason } : {}
    tell(reply.request, client, outcome, reason)
    const { invitation, returnTo, session } = begun ?? {}
    const back = session ? paths.security() : paths.signIn(invitation, returnTo)
    return reply.alert(alert).redirect(back.url)
  }
}

/** Where nothing went wrong with a provider, the error is another one. */
function told({ name }: Client, error: unknown): [Outcome, Text] {
  if (error instanceof Cancelled) return ['cancelled', text('You cancelled {name}', { name })]
  if (error instanceof OutOfReach) return ['unreachable', text("{name} can't be reached. Try again later", { name })]
  if (error instanceof Untrusted) return ['refused', text("{name} didn't work. Try again", { name })]
  throw error
}

function tell(
  request: FastifyRequest,
  { id }: Client,
  outcome: Outcome,
  about: { user?: number; reason?: string } = {},
) {
  emit('provider', { provider: id, outcome })
  request.security('provider', outcome, { ...about, provider: id })
}

/** Whether the start belongs to a session, and this is not the one. */
const isElsewhere = ({ auth }: FastifyRequest, { session }: Start) =>
  session !== undefined && (!auth || markOf(auth.session.token) !== session)

export function sayConnected(
  reply: FastifyReply,
  { name }: { name: string },
  outcome: Awaited<ReturnType<typeof connect>>,
) {
  if (outcome === 'taken') reply.alert(text('That {name} account is connected to somebody else', { name }))
  else if (outcome === 'full') reply.alert(text('You have 10 connected accounts already'))
  else reply.notice(text('{name} is connected', { name }))
  return reply.redirect(paths.security().url)
}
